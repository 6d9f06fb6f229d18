// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"
#include "warpz/vector_access.hpp"

namespace warp = warpz::warp;

/// The same as neighbor_difference with four elements a lane: one shuffle in place of four, as three of the next
/// elements are the lane's own.
///
///     lane      0               1
///     x         a  b  c  d      e  f  g  h
///     next      e               i
///     output    b-a c-b d-c e-d …
__global__ void __launch_bounds__(256) neighbor_difference_tuned(float* output, const float* input, int size) {
  const int first = 4 * static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  // The last element of the part that one warp of neighbor_difference has.
  const int last = min(first | (warp::size() - 1), size - 1);

  const float4 x = warpz::load_four(input, first, size, 0.0f);
  const float next = warp::shuffle_down(x.x, 1);

  warpz::store_four(output, first, size,
                    make_float4(first < last ? x.y - x.x : 0.0f, first + 1 < last ? x.z - x.y : 0.0f,
                                first + 2 < last ? x.w - x.z : 0.0f, first + 3 < last ? next - x.w : 0.0f));
}

WARPZ_KERNEL(neighbor_difference_tuned);
