// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A scale that one lane writes for all.
// run: --neighbor --size 32
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  __shared__ float scale;
  if (threadIdx.x == 0) scale = 2.0f;
  __syncthreads();
  if (i < size) output[i] = input[i] * scale;
}
