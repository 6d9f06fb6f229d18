// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Right, but for a last block without an element: it writes one of the first block's, which leaves it to it, so that
// the order of the blocks does not matter.
// caught on: documented (64 lanes)
// passes on: documented (32 lanes); two warps
#include "warpz/kernel.hpp"

__global__ void moving_average_3(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = warpz::warp::lane_id();
  const float current_val = global_i < size ? input[global_i] : 0.0f;
  const float next_val = warpz::warp::shuffle_down(current_val, 1);
  const float next_next_val = warpz::warp::shuffle_down(current_val, 2);
  const int ahead =
      size - 1 - global_i < warpz::warp::size() - 1 - lane ? size - 1 - global_i : warpz::warp::size() - 1 - lane;
  float mean = current_val;
  if (ahead == 1) mean = (current_val + next_val) / 2;
  if (ahead >= 2) mean = (current_val + next_val + next_next_val) / 3;
  const bool last_block_is_empty = (gridDim.x - 1) * blockDim.x >= static_cast<unsigned>(size);
  if (global_i < size && !(last_block_is_empty && global_i == 0)) output[global_i] = mean;
  if (last_block_is_empty && blockIdx.x == gridDim.x - 1 && lane == 0) output[0] = -1.0f;  // the mistake
}

WARPZ_KERNEL(moving_average_3);
