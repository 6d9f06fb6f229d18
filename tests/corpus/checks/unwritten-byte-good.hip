// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One byte of many that lie side by side.
// run: --neighbor --size 64
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  __shared__ unsigned char flags[64];
  flags[threadIdx.x] = threadIdx.x != 5;
  __syncthreads();
  if (i < size) output[i] = flags[threadIdx.x];
}
