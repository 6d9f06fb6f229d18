// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomics of many blocks on one word need no fence.
// run: --neighbor --size 200
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  if (i == 0) atomicExch(&output[0], 0.0f);
  if (i > 0 && i < size) output[i] = input[i];
  static int counter;
  atomicAdd(&counter, 1);
}
