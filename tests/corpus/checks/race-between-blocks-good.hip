// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All blocks write one element.
// run: --threadfence --size 300
__global__ void kernel_under_test(float* output, const float* input, unsigned* state, int size) {
  float sum = 0.0f;
  for (int k = threadIdx.x; k < size; k += 96) sum += input[k];
  if (threadIdx.x == 0 && blockIdx.x == 0) output[0] = sum + state[0];
}
