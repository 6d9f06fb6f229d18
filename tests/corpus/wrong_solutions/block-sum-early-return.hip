// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Returns where there is no element: the others wait for those threads at the sum's barrier.
// caught on: documented
// passes on: --random 192 --size 192
#include "warpz/block.hpp"
#include "warpz/kernel.hpp"

namespace block = warpz::block;

__global__ void block_sum(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  if (global_i >= size) return;
  output[global_i] = block::sum(input[global_i]);
}

WARPZ_KERNEL(block_sum);
