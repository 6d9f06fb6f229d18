// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first step of a tree does not wait until all numbers are there: one finding, and none of memory that nobody has
// written, although the number that is read first is not the last one to be written.
// run: --neighbor --size 64
// finds: data_race
// lane: 16 32
// other lane: 0 0
__global__ void kernel_under_test(float* output, const float* input, int size) {
  __shared__ float sums[64];
  const unsigned lane = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + lane;

  sums[lane] = i < size ? input[i] : 0.0f;  // first
  float sum = 0.0f;
  if (lane < blockDim.x / 2) sum = sums[lane + blockDim.x / 2];  // second
  if (i < size) output[i] = sum;
}
