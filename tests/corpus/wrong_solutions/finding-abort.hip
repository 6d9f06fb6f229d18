// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls abort() in lane 4.
#include "warpz/kernel.hpp"

#include <cstdlib>

__global__ void neighbor_difference(float* output, const float* /*input*/, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 4) abort();  // the call
  if (global_i < size) output[global_i] = 0.0f;
}

WARPZ_KERNEL(neighbor_difference);
