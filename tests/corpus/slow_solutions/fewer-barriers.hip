// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two barriers for each distance.
#include "warpz/kernel.hpp"
#include "warpz/sync.hpp"

namespace warp = warpz::warp;

__global__ void largest_so_far_in_block(float* output, const float* input, int size) {
  __shared__ float values[128];
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x, local_i = threadIdx.x;
  values[local_i] = global_i < size ? input[global_i] : -INFINITY;
  for (int distance = 1; distance < 128; distance *= 2) {
    warpz::barrier();
    const float before = local_i >= distance ? values[local_i - distance] : -INFINITY;
    warpz::barrier();
    values[local_i] = fmaxf(values[local_i], before);
  }
  if (global_i < size) output[global_i] = values[local_i];
}

WARPZ_KERNEL(largest_so_far_in_block);
