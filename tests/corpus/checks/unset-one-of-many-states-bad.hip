// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A state that some lanes never set makes a difference by one number only.
// run: --neighbor --size 64
// finds: undefined_lane_value
// lane: 0 0
// other lane: 0 0
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int state;  // second
  for (int k = size; k <= i; ++k) state = 1;
  if (i < size) output[i] = state == 77 ? -input[i] : input[i];  // first
}
