// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lane reads its neighbor's element without syncwarp.
// run: --neighbor --size 64
// finds: data_race
// lane: 1 1
// other lane: 0 0
#include "warpz/sync.hpp"

__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  __shared__ float tile[64];
  tile[threadIdx.x] = 0.0f;
  warpz::barrier();
  tile[threadIdx.x] = input[i];                                  // first
  if (i < size) output[i] = tile[(threadIdx.x + 1) % warpSize];  // second
}
