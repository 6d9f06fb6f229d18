// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes far behind the end of the output.
#include "warpz/kernel.hpp"

__global__ void neighbor_difference(float* output, const float* /*input*/, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const int far = 1 << 20;
  output[global_i < size ? global_i + far : far] = 0.0f;  // the wild write
}

WARPZ_KERNEL(neighbor_difference);
