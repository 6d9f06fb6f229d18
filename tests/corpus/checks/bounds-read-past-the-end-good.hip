// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The last element has no neighbor.
// run: --neighbor --size 40
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  if (i < size) output[i] = i + 1 < size ? input[i + 1] - input[i] : 0.0f;
}
