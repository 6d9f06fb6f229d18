// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

/// To do: output[i] = input[i] + the sum of the block's first four elements, which lane 0 computes.
__global__ void basic_broadcast(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = warp::lane_id();

  float broadcast_value = 0.0f;
  if (lane == 0) {
    [[maybe_unused]] const int block_start = blockIdx.x * blockDim.x;
    // 1. Add up input[block_start] to input[block_start + 3], as far as they exist.
  }

  // 2. Give lane 0's value to all lanes: warp::broadcast, here, where all of them are together again.

  if (global_i < size) output[global_i] = broadcast_value + input[global_i];
}

WARPZ_KERNEL(basic_broadcast);
