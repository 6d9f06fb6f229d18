// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each lane fills the block's scratch, with its own number.
// run: --neighbor --size 64
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  __shared__ unsigned char scratch[64];
  if (threadIdx.x == 0) memset(scratch, threadIdx.x, sizeof scratch);
  __syncthreads();
  if (i < size) output[i] = input[i] + scratch[threadIdx.x % 64];
}
