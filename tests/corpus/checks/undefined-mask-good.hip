// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A mask comes from a lane that takes part.
// run: --neighbor --size 20
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  float next = 0.0f;
  if (threadIdx.x < 8) {
    const unsigned long long mask = __shfl_sync(0xffull, 0xffull, 7);
    next = __shfl_sync(mask, input[i], 0);
  }
  if (i < size) output[i] = next;
}
