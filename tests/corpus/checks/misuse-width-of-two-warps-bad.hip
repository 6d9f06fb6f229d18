// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sum over two warps at once: a shuffle stays within one.
// run: --neighbor --size 128
// finds: misused_operation
// lane: 0 0
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = i < size ? input[i] : 0.0f;
  for (int d = warpSize; d > 0; d /= 2) sum += __shfl_xor(sum, d, 2 * warpSize);  // first
  if (i < size) output[i] = sum;
}
