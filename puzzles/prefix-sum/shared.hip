// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"

/// The same as warp_inclusive_prefix_sum by way of shared memory: in each step a lane adds what lies twice as far
/// before it. Two barriers a step: nobody may write before all have read, nor read before all have written.
__global__ void warp_inclusive_prefix_sum_shared(float* output, const float* input, int size) {
  __shared__ float shared[64];
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const int local_i = threadIdx.x;

  shared[local_i] = global_i < size ? input[global_i] : 0.0f;
  __syncthreads();

  for (int offset = 1; offset < static_cast<int>(blockDim.x); offset *= 2) {
    const float before = local_i >= offset ? shared[local_i - offset] : 0.0f;
    __syncthreads();
    shared[local_i] += before;
    __syncthreads();
  }

  if (global_i < size) output[global_i] = shared[local_i];
}

WARPZ_KERNEL(warp_inclusive_prefix_sum_shared);
