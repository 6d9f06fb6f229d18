// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Takes the first warp's total for the block's.
// caught on: documented
// passes on: 5 random numbers
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

__global__ void dot_product(float* output, const float* a, const float* b, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const float product = global_i < size ? a[global_i] * b[global_i] : 0.0f;
  const float total = warp::sum(product);
  if (threadIdx.x == 0) output[blockIdx.x] = total;
}

WARPZ_KERNEL(dot_product);
