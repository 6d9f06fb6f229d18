// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Some lanes of the warp return, the others wait for them at a barrier.
#include "warpz/kernel.hpp"

__global__ void neighbor_difference(float* output, const float* /*input*/, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x % 4 == 3) return;
  __syncthreads();  // here the others wait
  if (global_i < size) output[global_i] = 0.0f;
}

WARPZ_KERNEL(neighbor_difference);
