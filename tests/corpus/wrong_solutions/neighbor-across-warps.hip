// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the next element from memory, beyond the end of its warp.
// caught on: one element more than a warp; two warps
// passes on: documented; 5 random numbers
#include "warpz/kernel.hpp"

__global__ void neighbor_difference(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  if (global_i < size) output[global_i] = global_i < size - 1 ? input[global_i + 1] - input[global_i] : 0.0f;
}

WARPZ_KERNEL(neighbor_difference);
