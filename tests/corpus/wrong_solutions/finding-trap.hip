// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Executes a trap in lane 6.
#include "warpz/kernel.hpp"

__global__ void neighbor_difference(float* output, const float* /*input*/, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 6) __builtin_trap();  // the trap
  if (global_i < size) output[global_i] = 0.0f;
}

WARPZ_KERNEL(neighbor_difference);
