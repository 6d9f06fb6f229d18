// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/block.hpp"
#include "warpz/kernel.hpp"

#include <cmath>

namespace block = warpz::block;

/// Every thread writes the maximum of its block's elements. A block is a tile of blockDim.x · blockDim.y threads, and
/// they are numbered row by row.
__global__ void block_max(float* output, const float* input, int size) {
  const int block_size = blockDim.x * blockDim.y;
  const int local_i = threadIdx.y * blockDim.x + threadIdx.x;
  const int global_i = blockIdx.x * block_size + local_i;

  // Threads past the end take part with the neutral value: a NAN counts only if there is nothing else.
  const float current_val = global_i < size ? input[global_i] : NAN;
  const float max_val = block::max(current_val);

  if (global_i < size) output[global_i] = max_val;
}

WARPZ_KERNEL(block_max);
