// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Divides an integer by zero in lane 2.
#include "warpz/kernel.hpp"

// The machine has to notice, not a sanitizer.
__attribute__((no_sanitize("undefined"))) __global__ void neighbor_difference(float* output, const float* /*input*/,
                                                                              int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  volatile int divisor = static_cast<int>(threadIdx.x) - 2;
  const int quotient = 100 / divisor;  // the division
  if (global_i < size) output[global_i] = static_cast<float>(quotient);
}

WARPZ_KERNEL(neighbor_difference);
