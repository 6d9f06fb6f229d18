// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Throws an exception that nobody catches.
#include "warpz/kernel.hpp"

__global__ void neighbor_difference(float* output, const float* /*input*/, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 1) throw 1;  // the exception
  if (global_i < size) output[global_i] = 0.0f;
}

WARPZ_KERNEL(neighbor_difference);
