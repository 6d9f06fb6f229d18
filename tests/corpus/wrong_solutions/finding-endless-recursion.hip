// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls itself until the lane's stack is used up.
#include "warpz/kernel.hpp"

__device__ __attribute__((noinline)) float deeper(int depth, volatile float* seen) {
  volatile float local[64] = {};
  local[depth & 63] = static_cast<float>(depth);
  seen[0] = local[1];
  return depth < 0 ? 0.0f : deeper(depth + 1, seen) + local[depth & 63];  // the recursion
}

__global__ void neighbor_difference(float* output, const float* /*input*/, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  if (global_i < size) output[global_i] = deeper(global_i, output);
}

WARPZ_KERNEL(neighbor_difference);
