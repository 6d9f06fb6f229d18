// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The last lane adds to its own element.
// run: --neighbor --size 64
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  if (i < size) output[i] = input[i];
  __syncthreads();
  if (i == size - 1) output[i] += input[i];
}
