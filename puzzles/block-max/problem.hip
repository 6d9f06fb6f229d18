// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/block.hpp"
#include "warpz/kernel.hpp"

#include <cmath>

namespace block = warpz::block;

/// To do: every thread writes the maximum of its block's elements.
__global__ void block_max(float* output, const float* input, int size) {
  // 1. This is right for a block that is one row of threads. This one has blockDim.y of them.
  const int block_size = blockDim.x;
  const int local_i = threadIdx.x;
  const int global_i = blockIdx.x * block_size + local_i;

  // Threads past the end take part with the neutral value: a NAN counts only if there is nothing else.
  const float current_val = global_i < size ? input[global_i] : NAN;

  // 2. Get the block's maximum: one call.
  const float max_val = current_val;

  if (global_i < size) output[global_i] = max_val;
}

WARPZ_KERNEL(block_max);
