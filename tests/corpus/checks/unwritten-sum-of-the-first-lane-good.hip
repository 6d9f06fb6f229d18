// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first lane sets the sum, and adds to it.
// run: --neighbor --size 32
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  __shared__ float sum;
  if (threadIdx.x == 0) sum = 0;
  if (threadIdx.x == 0) sum += input[i];
  __syncthreads();
  if (i < size) output[i] = sum;
}
