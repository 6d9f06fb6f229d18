// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Knows the documented answer instead of asking the partner.
// caught on: 5 random numbers
// passes on: documented
#include "warpz/kernel.hpp"

__global__ void butterfly_pair_swap(float* output, const float* /*input*/, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  if (global_i < size) output[global_i] = static_cast<float>((global_i ^ 1) < size ? global_i ^ 1 : global_i);
}

WARPZ_KERNEL(butterfly_pair_swap);
