// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The result is thread 0's, and the last thread writes.
// caught on: documented
// passes on: 200 times the same
#include "warpz/block.hpp"
#include "warpz/kernel.hpp"

#include <cmath>

namespace block = warpz::block;

__global__ void block_min(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const float current_val = global_i < size ? input[global_i] : NAN;
  const float min_val = block::min<false>(current_val);
  if (threadIdx.x == blockDim.x - 1) output[blockIdx.x] = min_val;
}

WARPZ_KERNEL(block_min);
