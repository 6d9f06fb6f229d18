// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The last warp has more lanes than there are elements.
// run: --neighbor --size 45
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  if (i < size) output[i] = 0.0f;
}
