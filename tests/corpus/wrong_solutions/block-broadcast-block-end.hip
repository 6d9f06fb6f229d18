// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asks the block's last thread, which has no element where the array ends before.
// caught on: documented
// passes on: --random 96 --size 96
#include "warpz/block.hpp"
#include "warpz/kernel.hpp"

namespace block = warpz::block;

__global__ void block_broadcast(float* output, const float* input, int size) {
  const int block_start = blockIdx.x * blockDim.x;
  const int global_i = block_start + threadIdx.x;
  const float current_val = global_i < size ? input[global_i] : 0.0f;
  const float last_val = block::broadcast(current_val, blockDim.x - 1);
  if (global_i < size) output[global_i] = last_val - current_val;
}

WARPZ_KERNEL(block_broadcast);
