// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An index comes from a lane that takes part.
// run: --neighbor --size 32
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  unsigned from = threadIdx.x;
  if (threadIdx.x < 31) from = __shfl_sync(0x7fffffffull, from, 30 - threadIdx.x);
  if (i < size) output[i] = input[from % 16];
}
