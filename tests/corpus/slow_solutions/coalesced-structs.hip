// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each thread loads its own point.
#include "warpz/kernel.hpp"
#include "warpz/sync.hpp"

__global__ void largest_field(float* output, const float* input, int size) {
  const int point = blockIdx.x * blockDim.x + threadIdx.x;
  if (point < size) output[point] = fmaxf(fmaxf(input[3 * point], input[3 * point + 1]), input[3 * point + 2]);
}

WARPZ_KERNEL(largest_field);
