// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A block polls a volatile flag and takes what the other block has written before it, with a fence on both sides.
// run: --neighbor --size 128
// warns: data_race
// lane: 0 0
// other lane: 0 0
__device__ float handed[64];
__device__ volatile int is_there;

__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (blockIdx.x == 0) {
    handed[threadIdx.x] = input[i];
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) is_there = 1;  // second
  } else if (blockIdx.x == 1) {
    while (is_there == 0) continue;  // first
    __threadfence();
    output[i] = handed[threadIdx.x];
  }
  if (blockIdx.x != 1) output[i] = 0;
}
