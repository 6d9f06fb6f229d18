// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One lane prints a number that it has not set.
// run: --neighbor --size 64
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float last = 0;
  for (int k = size; k < i; ++k) last = 2;
  if (i == 0) printf("%g\n", last);
  if (i < size) output[i] = input[i];
}
