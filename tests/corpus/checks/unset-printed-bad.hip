// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One lane prints a number that it has not set.
// run: --neighbor --size 64
// finds: undefined_lane_value
// lane: 0 0
// other lane: 0 0
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float last;  // second
  for (int k = size; k < i; ++k) last = 2;
  if (i == 0) printf("%g\n", last);  // first
  if (i < size) output[i] = input[i];
}
