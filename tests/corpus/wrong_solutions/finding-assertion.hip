// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asserts in lane 7 what does not hold there.
#include "warpz/kernel.hpp"

#undef NDEBUG  // in a release build too
#include <cassert>

__global__ void neighbor_difference(float* output, const float* /*input*/, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  assert(threadIdx.x != 7);  // the assertion
  if (global_i < size) output[global_i] = 0.0f;
}

WARPZ_KERNEL(neighbor_difference);
