// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The last lane reads an element whose number it has not set, and drops it.
// run: --neighbor --size 32
// finds: undefined_lane_value
// lane: 31 31
// other lane: 31 31
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size) return;

  unsigned next;  // second
  for (int k = i + 1; k < size; k += size) next = k;
  volatile float right = input[next % 32];  // first
  output[i] = i + 1 < size ? right - input[i] : 0.0f;
}
