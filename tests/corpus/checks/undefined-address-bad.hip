// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An index comes from a lane that is left out. It stays within the buffer, whatever it is.
// run: --neighbor --size 32
// finds: undefined_lane_value
// lane: 0 0
// other lane: 31 31
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  unsigned from = threadIdx.x;
  if (threadIdx.x < 31) from = __shfl_sync(0x7fffffffull, from, 31 - threadIdx.x);  // first
  if (i < size) output[i] = input[from % 32];
}
