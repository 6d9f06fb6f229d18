// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a lane got from beyond goes to shared memory, and nobody reads it there.
// run: --warp-sum --size 20
#include "warpz/sync.hpp"

__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  __shared__ float tile[64];
  const unsigned long long with_element = __ballot(i < size);
  if (i < size) tile[threadIdx.x] = __shfl_down_sync(with_element, input[i], 1);
  warpz::barrier();
  if (i < size) output[i] = tile[(size - 1 - threadIdx.x) % (size - 1)];
}
