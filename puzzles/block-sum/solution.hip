// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/block.hpp"
#include "warpz/kernel.hpp"

namespace block = warpz::block;

/// Every thread writes the sum of its block's elements.
__global__ void block_sum(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;

  // Threads past the end have no element, but the sum needs them: they take part with a 0.
  const float current_val = global_i < size ? input[global_i] : 0.0f;
  const float total = block::sum(current_val);

  if (global_i < size) output[global_i] = total;
}

WARPZ_KERNEL(block_sum);
