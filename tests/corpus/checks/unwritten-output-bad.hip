// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adding to an output that holds nothing yet.
// run: --neighbor --size 64
// finds: uninitialised_read
// lane: 0 0
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  if (i < size) output[i] += input[i];  // first
}
