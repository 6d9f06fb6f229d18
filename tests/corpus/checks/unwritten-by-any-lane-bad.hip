// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// No lane at all writes the scale: a compiler takes it for zero, a GPU for what was there before.
// run: --neighbor --size 32
// finds: uninitialised_read
// lane: 0 0
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  __shared__ float scale;
  if (i < size) output[i] = input[i] * scale;  // first
}
