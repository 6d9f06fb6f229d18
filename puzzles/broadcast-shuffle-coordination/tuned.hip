// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"
#include "warpz/vector_access.hpp"

namespace warp = warpz::warp;

/// The same as broadcast_shuffle_coordination with four elements a lane: the four that are added are one lane's, and
/// three of the next elements are the lane's own.
__global__ void __launch_bounds__(256)
    broadcast_shuffle_coordination_tuned(float* output, const float* input, int size) {
  const int first = 4 * static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  // The last element of the part that one warp of broadcast_shuffle_coordination has; the lanes that hold it.
  const int last = min(first | (warp::size() - 1), size - 1);
  const int lanes = warp::size() / 4;
  const int first_lane = warp::lane_id() / lanes * lanes;

  // Elements that do not exist add a 0.
  const float4 x = warpz::load_four(input, first, size, 0.0f);
  const float scale = warp::shuffle_idx((0.0f + x.x + x.y + x.z + x.w) / 4.0f, first_lane);
  const float next = warp::shuffle_down(x.x, 1);

  warpz::store_four(
      output, first, size,
      make_float4((first < last ? x.x + x.y : x.x) * scale, (first + 1 < last ? x.y + x.z : x.y) * scale,
                  (first + 2 < last ? x.z + x.w : x.z) * scale, (first + 3 < last ? x.w + next : x.w) * scale));
}

WARPZ_KERNEL(broadcast_shuffle_coordination_tuned);
