// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop multiplies by what the first lane has set.
// run: --neighbor --size 32
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  __shared__ float scale;

  if (threadIdx.x == 0) scale = 0.5f;
  __syncthreads();
  float sum = 0.0f;
  for (int k = 0; k < size; ++k) {
    sum += input[k] * scale;
  }
  if (i < size) output[i] = sum;
}
