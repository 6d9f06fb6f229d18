// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Of a tree of sums half of the threads do nothing more in each round, and come to its barrier.
// run: --neighbor --size 20
__global__ void kernel_under_test(float* output, const float* input, int size) {
  __shared__ float sums[64];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  sums[threadIdx.x] = i < size ? input[i] : 0;
  __syncthreads();
  for (unsigned living = blockDim.x / 2; living > 0; living /= 2) {
    if (threadIdx.x < living) sums[threadIdx.x] += sums[threadIdx.x + living];
    __syncthreads();
  }
  if (i < size) output[i] = sums[0];
}
