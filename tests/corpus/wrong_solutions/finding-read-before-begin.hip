// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads before the begin of the input, on the page before its first one.
#include "warpz/kernel.hpp"

__global__ void neighbor_difference(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const int page = 4096 / sizeof(float);
  if (global_i < size) output[global_i] = input[global_i - page];  // the wild read
}

WARPZ_KERNEL(neighbor_difference);
