// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All lanes call with the mask of the first five, as if it were the number of the last lane.
// modelled on: https://github.com/NVIDIA/cutlass/issues/1094
// run: --neighbor --size 20
// finds: wrong_mask
// lane: 5 5
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float mine = i < size ? input[i] : 0;
  const float first = __shfl_sync(0x1full, mine, 0);  // first
  if (i < size) output[i] = first;
}
