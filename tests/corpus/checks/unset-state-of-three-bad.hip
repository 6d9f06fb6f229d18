// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A state that most lanes set to 3, and the first ones never. No large or small number shows it.
// run: --neighbor --size 32
// finds: undefined_lane_value
// lane: 1 1
// other lane: 1 1
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  int state;  // second
  if (threadIdx.x > 3) state = 3;
  if (i < size) output[i] = state == 3 ? 1.0f : 2.0f;  // first
}
