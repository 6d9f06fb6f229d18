// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A state that each lane sets.
// run: --neighbor --size 32
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  int state = 0;
  if (threadIdx.x > 3) state = 3;
  if (i < size) output[i] = state == 3 ? 1.0f : 2.0f;
}
