// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Leaves the sum in thread 0, and all write what they have.
// caught on: documented
// passes on: all zero
#include "warpz/block.hpp"
#include "warpz/kernel.hpp"

namespace block = warpz::block;

__global__ void block_sum(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const float current_val = global_i < size ? input[global_i] : 0.0f;
  const float total = block::sum<false>(current_val);
  if (global_i < size) output[global_i] = total;
}

WARPZ_KERNEL(block_sum);
