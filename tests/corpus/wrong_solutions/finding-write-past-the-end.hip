// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes behind the end of the output, on the page after its last one.
#include "warpz/kernel.hpp"

__global__ void neighbor_difference(float* output, const float* /*input*/, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const int page = 4096 / sizeof(float);
  if (global_i < size) output[global_i / page * page + page] = 0.0f;  // the wild write
}

WARPZ_KERNEL(neighbor_difference);
