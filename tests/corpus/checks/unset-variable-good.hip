// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first lane's loop has no round, and its variable is not used.
// run: --neighbor --size 32
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  float last;
  for (int k = 0; k < i && k < size; ++k) last = input[k];
  if (i < size) output[i] = i > 0 ? last : 0.0f;
}
