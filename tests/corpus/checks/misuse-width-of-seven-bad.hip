// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Groups of seven lanes add up: the width of a shuffle is a power of two.
// run: --neighbor --size 64
// finds: misused_operation
// lane: 0 0
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = i < size ? input[i] : 0.0f;
  for (int d = 4; d > 0; d /= 2) sum += __shfl_down(sum, d, 7);  // first
  if (i < size) output[i] = sum;
}
