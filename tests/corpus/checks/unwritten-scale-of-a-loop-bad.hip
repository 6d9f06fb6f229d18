// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop multiplies by what nobody has set. Clang reads it before the loop, where it has no line.
// run: --neighbor --size 32
// finds: uninitialised_read
// lane: 0 0
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  __shared__ float scale;

  float sum = 0.0f;
  for (int k = 0; k < size; ++k) {
    sum += input[k] * scale;  // first
  }
  if (i < size) output[i] = sum;
}
