// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sum begins at half of the warp, however many lanes it has.
// modelled on: https://github.com/RWKV-Vibe/RWKV-LM-V7/pull/20
// run: --warp-sum --warp-size both
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = i < size ? input[i] : 0.0f;
  for (int offset = warpSize / 2; offset > 0; offset >>= 1) sum += __shfl_down_sync(~0ull, sum, offset);
  sum = __shfl_sync(~0ull, sum, 0);
  if (i < size) output[i] = sum;
}
