// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads without an element take part with a 0, which is less than positive elements.
// caught on: documented
// passes on: --random 400 --size 400
#include "warpz/block.hpp"
#include "warpz/kernel.hpp"

namespace block = warpz::block;

__global__ void block_min(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const float current_val = global_i < size ? input[global_i] : 0.0f;
  const float min_val = block::min<false>(current_val);
  if (threadIdx.x == 0) output[blockIdx.x] = min_val;
}

WARPZ_KERNEL(block_min);
