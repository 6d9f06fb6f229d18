// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first element has none before it.
// run: --neighbor --size 64
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  if (i < size) output[i] = i > 0 ? input[i] - input[i - 1] : 0.0f;
}
