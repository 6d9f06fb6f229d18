// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A shuffle of the whole warp where all lanes come; those that need it take its value.
// run: --neighbor --size 20
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float mine = i < size ? input[i] : 0;
  const float next = __shfl_down_sync(~0ull, mine, 1);
  if (threadIdx.x < 16) mine += next;
  if (i < size) output[i] = mine;
}
