// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/block.hpp"
#include "warpz/kernel.hpp"

namespace block = warpz::block;

/// To do: output[i] = how far input[i] is below the last element of its block.
__global__ void block_broadcast(float* output, const float* input, int size) {
  const int block_start = blockIdx.x * blockDim.x;
  const int global_i = block_start + threadIdx.x;

  // Threads past the end have no element, but every thread has to reach the broadcast.
  const float current_val = global_i < size ? input[global_i] : 0.0f;

  // 1. This is the block's first element. Which thread has the last one, also where the array ends within the block?
  const float last_val = block::broadcast(current_val);

  if (global_i < size) output[global_i] = last_val - current_val;
}

WARPZ_KERNEL(block_broadcast);
