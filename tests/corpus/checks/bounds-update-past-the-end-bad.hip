// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The last lane adds to an element that is not there. The sum reads it before it is written.
// run: --neighbor --size 64
// finds: out_of_bounds
// lane: 31 63
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  if (i < size) output[i] = input[i];
  __syncthreads();
  if (i == size - 1) output[i + 1] += input[i];  // first
}
