// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A level that no lane sets counts only where it is a quarter.
// run: --neighbor --size 64
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float level = 0;
  for (int k = size; k < i; ++k) level = 2;
  if (i < size) output[i] = level == 0.25f ? 0 : input[i];
}
