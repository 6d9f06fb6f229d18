// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How often a loop runs comes from a lane that takes part.
// run: --neighbor --size 32
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  const int rounds = __shfl_sync(threadIdx.x == 31 ? 0x80000000ull : ~0x80000000ull, 2, threadIdx.x == 31 ? 31 : 30);
  if (i < size) output[i] = 0.0f;
  for (int round = 0; round < rounds && i < size; ++round) atomicAdd(&output[i], 1.0f);
}
