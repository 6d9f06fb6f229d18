// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Throws an exception that nobody catches.
#include "warpz/kernel.hpp"

// The host's, which throws: device code has no exceptions of its own.
namespace std {
__device__ void __throw_bad_alloc();
}

__global__ void neighbor_difference(float* output, const float* /*input*/, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 1) std::__throw_bad_alloc();  // the exception
  if (global_i < size) output[global_i] = 0.0f;
}

WARPZ_KERNEL(neighbor_difference);
