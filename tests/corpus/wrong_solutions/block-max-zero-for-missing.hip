// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads without an element take part with a 0, which is greater than negative elements.
// caught on: documented
// passes on: --random 240 --size 240
#include "warpz/block.hpp"
#include "warpz/kernel.hpp"

namespace block = warpz::block;

__global__ void block_max(float* output, const float* input, int size) {
  const int local_i = threadIdx.y * blockDim.x + threadIdx.x;
  const int global_i = blockIdx.x * blockDim.x * blockDim.y + local_i;
  const float current_val = global_i < size ? input[global_i] : 0.0f;
  const float max_val = block::max(current_val);
  if (global_i < size) output[global_i] = max_val;
}

WARPZ_KERNEL(block_max);
