// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/block.hpp"
#include "warpz/kernel.hpp"

namespace block = warpz::block;

/// output[i] = how far input[i] is below the last element of its block.
///
///     thread         0      1      2      3      4      5        size 5
///     current_val    a      b      c      d      e      0
///     last_val       e      e      e      e      e      e
///     output         e-a    e-b    e-c    e-d    0
__global__ void block_broadcast(float* output, const float* input, int size) {
  const int block_start = blockIdx.x * blockDim.x;
  const int global_i = block_start + threadIdx.x;

  // The array may end before the block does.
  const int block_size = static_cast<int>(blockDim.x);
  const int elements = size - block_start < block_size ? size - block_start : block_size;

  const float current_val = global_i < size ? input[global_i] : 0.0f;
  const float last_val = block::broadcast(current_val, elements - 1);

  if (global_i < size) output[global_i] = last_val - current_val;
}

WARPZ_KERNEL(block_broadcast);
