// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Goes on from one warp to the next instead of beginning anew.
// caught on: two warps
// passes on: documented; 5 random numbers
#include "warpz/kernel.hpp"

__global__ void warp_inclusive_prefix_sum(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  for (int i = 0; i <= global_i && i < size; ++i) sum += input[i];
  if (global_i < size) output[global_i] = sum;
}

WARPZ_KERNEL(warp_inclusive_prefix_sum);
