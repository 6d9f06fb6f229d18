// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/block.hpp"
#include "warpz/kernel.hpp"

#include <cmath>

namespace block = warpz::block;

/// To do: output[block] = the minimum of the block's elements.
__global__ void block_min(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;

  // Threads past the end take part with the neutral value: a NAN counts only if there is nothing else.
  const float current_val = global_i < size ? input[global_i] : NAN;

  // 1. Get the block's minimum: one call. Who needs to know it?
  const float min_val = current_val;

  // 2. One thread of each block writes. Is it this one?
  if (threadIdx.x == blockDim.x - 1) output[blockIdx.x] = min_val;
}

WARPZ_KERNEL(block_min);
