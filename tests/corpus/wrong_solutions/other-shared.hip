// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shared-memory variant of the pair swap without the swap.
#include "warpz/kernel.hpp"

__global__ void butterfly_pair_swap_shared(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  if (global_i < size) output[global_i] = input[global_i];
}

WARPZ_KERNEL(butterfly_pair_swap_shared);
