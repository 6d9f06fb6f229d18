// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads far before the begin of the input.
#include "warpz/kernel.hpp"

__global__ void neighbor_difference(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const int far = 1 << 20;
  if (global_i < size) output[global_i] = input[global_i - far];  // the wild read
}

WARPZ_KERNEL(neighbor_difference);
