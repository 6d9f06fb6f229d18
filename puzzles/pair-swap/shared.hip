// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"

/// The same as butterfly_pair_swap by way of shared memory: every lane writes its element, all wait, every lane reads
/// its partner's.
__global__ void butterfly_pair_swap_shared(float* output, const float* input, int size) {
  __shared__ float shared[64];
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const int local_i = threadIdx.x;

  if (global_i < size) shared[local_i] = input[global_i];
  __syncthreads();

  if (global_i < size) {
    const bool has_partner = (global_i ^ 1) < size;
    output[global_i] = shared[has_partner ? local_i ^ 1 : local_i];
  }
}

WARPZ_KERNEL(butterfly_pair_swap_shared);
