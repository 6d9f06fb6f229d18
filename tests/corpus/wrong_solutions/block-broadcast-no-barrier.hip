// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// By hand, and nobody waits: others read what the last thread has not written yet.
// caught on: documented
// passes on: all zero
#include "warpz/kernel.hpp"

__global__ void block_broadcast(float* output, const float* input, int size) {
  __shared__ float shared;
  const int block_start = blockIdx.x * blockDim.x;
  const int global_i = block_start + threadIdx.x;
  const int block_size = static_cast<int>(blockDim.x);
  const int elements = size - block_start < block_size ? size - block_start : block_size;
  const float current_val = global_i < size ? input[global_i] : 0.0f;
  if (static_cast<int>(threadIdx.x) == elements - 1) shared = current_val;
  const float last_val = shared;
  if (global_i < size) output[global_i] = last_val - current_val;
}

WARPZ_KERNEL(block_broadcast);
