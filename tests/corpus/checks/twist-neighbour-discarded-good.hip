// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every lane takes part in the shuffle, and the last drops what it got.
// run: --neighbor --size 50
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  const float mine = i < size ? input[i] : 0.0f;
  const float next = __shfl_down(mine, 1);
  if (i < size) output[i] = i + 1 < size && static_cast<int>(threadIdx.x) + 1 < warpSize ? next - mine : 0.0f;
}
