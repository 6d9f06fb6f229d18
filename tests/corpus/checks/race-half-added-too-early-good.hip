// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first step of a tree waits until all numbers are there.
// run: --neighbor --size 64
__global__ void kernel_under_test(float* output, const float* input, int size) {
  __shared__ float sums[64];
  const unsigned lane = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + lane;

  sums[lane] = i < size ? input[i] : 0.0f;
  __syncthreads();
  float sum = 0.0f;
  if (lane < blockDim.x / 2) sum = sums[lane + blockDim.x / 2];
  if (i < size) output[i] = sum;
}
