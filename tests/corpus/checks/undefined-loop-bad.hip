// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How often a loop runs comes from a lane that is left out. With some values it would hardly end.
// run: --neighbor --size 32
// finds: undefined_lane_value
// lane: 31 31
// other lane: 30 30
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  const int rounds = __shfl_sync(threadIdx.x == 31 ? 0x80000000ull : ~0x80000000ull, 2, 30);  // first
  if (i < size) output[i] = 0.0f;
  for (int round = 0; round < rounds && i < size; ++round) atomicAdd(&output[i], 1.0f);
}
