// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The last lane has no number of a next element, and reads its own instead.
// run: --neighbor --size 32
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size) return;

  unsigned next;
  for (int k = i + 1; k < size; k += size) next = k;
  volatile float right = input[i + 1 < size ? next % 32 : i];
  output[i] = i + 1 < size ? right - input[i] : 0.0f;
}
