// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An index that was multiplied once too often, many pages behind the buffer.
// run: --neighbor --size 64
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  const long far = 100000L * i % size;
  if (i < size) output[i] = input[far];
}
