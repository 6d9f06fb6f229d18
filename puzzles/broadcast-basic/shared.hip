// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"

/// The same as basic_broadcast by way of shared memory: one lane writes the sum, all wait, all read it.
__global__ void basic_broadcast_shared(float* output, const float* input, int size) {
  __shared__ float shared;
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;

  if (threadIdx.x == 0) {
    float sum = 0.0f;
    for (int i = 0; i < 4; ++i) {
      if (global_i + i < size) sum += input[global_i + i];
    }
    shared = sum;
  }
  __syncthreads();

  if (global_i < size) output[global_i] = shared + input[global_i];
}

WARPZ_KERNEL(basic_broadcast_shared);
