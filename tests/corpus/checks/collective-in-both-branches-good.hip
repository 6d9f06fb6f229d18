// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The vote of the whole warp behind the branches.
// run: --neighbor --size 20
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int one = i < size ? 1 : 0;
  const int all = __all_sync(~0ull, threadIdx.x < 16 ? one : 1 - one);
  if (i < size) output[i] = static_cast<float>(all);
}
