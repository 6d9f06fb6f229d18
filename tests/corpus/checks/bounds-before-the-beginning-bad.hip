// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first element has none before it.
// run: --neighbor --size 64
// finds: out_of_bounds
// lane: 0 0
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  if (i < size) output[i] = input[i] - input[i - 1];  // first
}
