// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asks the last lane of each warp instead of the last thread of the block.
// caught on: documented (32 lanes)
// passes on: documented (64 lanes)
#include "warpz/kernel.hpp"

__global__ void block_broadcast(float* output, const float* input, int size) {
  const int block_start = blockIdx.x * blockDim.x;
  const int global_i = block_start + threadIdx.x;
  const int block_size = static_cast<int>(blockDim.x);
  const int elements = size - block_start < block_size ? size - block_start : block_size;
  const float current_val = global_i < size ? input[global_i] : 0.0f;
  const float last_val = warpz::warp::broadcast(current_val, (elements - 1) % warpz::warp::size());
  if (global_i < size) output[global_i] = last_val - current_val;
}

WARPZ_KERNEL(block_broadcast);
