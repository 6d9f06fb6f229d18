// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A volatile counter: each lane reads it and writes one more, and updates are lost.
// run: --neighbor --size 20
// finds: data_race
// lane: 1 1
// other lane: 0 0
__device__ volatile int count;

__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  count = count + 1;  // first and second
  if (i < size) output[i] = input[i];
}
