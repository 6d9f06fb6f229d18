// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sum begins with a distance of the whole warp, over which each lane gets its own value.
// run: --neighbor --size 64
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = i < size ? input[i] : 0.0f;
  for (int d = warpSize / 2; d > 0; d /= 2) sum += __shfl_down(sum, d);
  if (i < size) output[i] = sum;
}
