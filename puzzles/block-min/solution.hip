// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/block.hpp"
#include "warpz/kernel.hpp"

#include <cmath>

namespace block = warpz::block;

/// output[block] = the minimum of the block's elements.
__global__ void block_min(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;

  // Threads past the end take part with the neutral value: a NAN counts only if there is nothing else.
  const float current_val = global_i < size ? input[global_i] : NAN;
  const float min_val = block::min<false>(current_val);

  // Nobody else has it.
  if (threadIdx.x == 0) output[blockIdx.x] = min_val;
}

WARPZ_KERNEL(block_min);
