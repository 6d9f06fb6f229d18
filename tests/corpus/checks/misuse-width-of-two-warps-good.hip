// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sum over two warps at once: a shuffle stays within one.
// run: --neighbor --size 128
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = i < size ? input[i] : 0.0f;
  for (int d = warpSize / 2; d > 0; d /= 2) sum += __shfl_xor(sum, d, warpSize);
  if (i < size) output[i] = sum;
}
