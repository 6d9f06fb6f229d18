// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"
#include "warpz/vector_access.hpp"

namespace warp = warpz::warp;

/// The same as moving_average_3 with four elements a lane: of the elements that they need, only two are in another
/// lane.
__global__ void __launch_bounds__(256) moving_average_3_tuned(float* output, const float* input, int size) {
  const int first = 4 * static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  // The last element of the part that one warp of moving_average_3 has.
  const int last = min(first | (warp::size() - 1), size - 1);

  const float4 x = warpz::load_four(input, first, size, 0.0f);
  const float next = warp::shuffle_down(x.x, 1);
  const float next_next = warp::shuffle_down(x.y, 1);

  const auto mean = [last](int i, float current, float after, float after_next) {
    if (i + 2 <= last) return (current + after + after_next) / 3.0f;
    return i + 1 <= last ? (current + after) / 2.0f : current;
  };
  warpz::store_four(output, first, size,
                    make_float4(mean(first, x.x, x.y, x.z), mean(first + 1, x.y, x.z, x.w),
                                mean(first + 2, x.z, x.w, next), mean(first + 3, x.w, next, next_next)));
}

WARPZ_KERNEL(moving_average_3_tuned);
