// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads without an element take part with an infinity: it counts where a block has nothing but NaNs.
// caught on: nothing is a number
// passes on: documented
#include "warpz/block.hpp"
#include "warpz/kernel.hpp"

#include <cmath>

namespace block = warpz::block;

__global__ void block_min(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const float current_val = global_i < size ? input[global_i] : INFINITY;
  const float min_val = block::min<false>(current_val);
  if (threadIdx.x == 0) output[blockIdx.x] = min_val;
}

WARPZ_KERNEL(block_min);
