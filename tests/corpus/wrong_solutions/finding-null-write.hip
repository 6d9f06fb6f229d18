// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lane 5 writes through a null pointer.
#include "warpz/kernel.hpp"

__device__ float* volatile nowhere = nullptr;

// The machine has to notice, not a sanitizer.
__attribute__((no_sanitize("undefined"))) __global__ void neighbor_difference(float* output, const float* /*input*/,
                                                                              int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  float* target = &output[global_i];
  if (threadIdx.x == 5) target = nowhere;
  if (global_i < size) *target = 0.0f;  // the wild write
}

WARPZ_KERNEL(neighbor_difference);
