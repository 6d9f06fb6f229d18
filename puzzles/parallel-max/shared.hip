// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"

#include <cmath>

/// The same as butterfly_parallel_max by way of shared memory: half of the lanes take the other half's maxima over,
/// then half of those, with a barrier after each step; at last all read the one that is left.
__global__ void butterfly_parallel_max_shared(float* output, const float* input, int size) {
  __shared__ float shared[64];
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const int local_i = threadIdx.x;

  // Lanes past the end take part with the neutral value: fmaxf of a NAN and a number is the number.
  shared[local_i] = global_i < size ? input[global_i] : NAN;
  __syncthreads();

  for (int active = blockDim.x / 2; active > 0; active /= 2) {
    if (local_i < active) shared[local_i] = fmaxf(shared[local_i], shared[local_i + active]);
    __syncthreads();
  }

  if (global_i < size) output[global_i] = shared[0];
}

WARPZ_KERNEL(butterfly_parallel_max_shared);
