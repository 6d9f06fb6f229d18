// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Groups of four lanes with their masks.
// run: --neighbor --size 20
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned group = threadIdx.x / 4;
  const float mine = i < size ? input[i] : 0;
  const float first = __shfl_sync(0xfull << (4 * group), mine, 0, 4);
  if (i < size) output[i] = first;
}
