// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All lanes call with the mask of all.
// run: --neighbor --size 20
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float mine = i < size ? input[i] : 0;
  const float first = __shfl_sync(~0ull, mine, 0);
  if (i < size) output[i] = first;
}
