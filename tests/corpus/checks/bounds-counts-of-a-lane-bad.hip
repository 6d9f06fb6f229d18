// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each lane counts the kinds of its numbers in an array of its own, and one kind is above the last.
// run: --neighbor --size 64
// finds: out_of_bounds
// lane: 0 0
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int counts[4] = {};
  for (int k = 0; k < 8 && i + k < size; ++k) ++counts[static_cast<int>(input[i + k]) % 5];  // first
  if (i < size) output[i] = counts[0] + counts[1] * 10 + counts[3];
}
