// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Minds the end of the array and forgets the end of the warp, where the last lane gets its own value.
// caught on: two warps
// passes on: documented; 5 random numbers
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

__global__ void broadcast_shuffle_coordination(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = warp::lane_id();
  float scale_factor = 0.0f;
  if (lane == 0) {
    const int block_start = blockIdx.x * blockDim.x;
    float sum = 0.0f;
    int count = 0;
    for (; count < 4 && block_start + count < size; ++count) sum += input[block_start + count];
    scale_factor = sum / 4.0f;
  }
  scale_factor = warp::broadcast(scale_factor);
  const float current_val = global_i < size ? input[global_i] : 0.0f;
  const float next_val = warp::shuffle_down(current_val, 1);
  if (global_i < size) {
    const bool has_next = global_i < size - 1;
    output[global_i] = (has_next ? current_val + next_val : current_val) * scale_factor;
  }
}

WARPZ_KERNEL(broadcast_shuffle_coordination);
