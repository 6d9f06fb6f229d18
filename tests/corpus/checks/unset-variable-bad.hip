// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first lane's loop has no round, and so its variable is never set.
// run: --neighbor --size 32
// finds: undefined_lane_value
// lane: 0 0
// other lane: 0 0
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  float last;  // second
  for (int k = 0; k < i && k < size; ++k) last = input[k];
  if (i < size) output[i] = last;  // first
}
