// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A shuffle of the whole warp in the branch of the lanes that need it.
// modelled on: https://github.com/moderngpu/moderngpu/pull/36
// run: --neighbor --size 20
// finds: diverged_collective
// lane: 0 0
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float mine = i < size ? input[i] : 0;
  if (threadIdx.x < 16) mine += __shfl_down_sync(~0ull, mine, 1);  // first
  if (i < size) output[i] = mine;
}
