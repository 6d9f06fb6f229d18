// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

/// The same as neighbor_difference by way of shared memory: every lane writes its element, all wait, every lane reads
/// its neighbor's.
__global__ void neighbor_difference_shared(float* output, const float* input, int size) {
  __shared__ float shared[64];
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const int local_i = threadIdx.x;

  if (global_i < size) shared[local_i] = input[global_i];
  __syncthreads();

  if (global_i < size) {
    const bool has_next = local_i < warp::size() - 1 && global_i < size - 1;
    output[global_i] = has_next ? shared[local_i + 1] - shared[local_i] : 0.0f;
  }
}

WARPZ_KERNEL(neighbor_difference_shared);
