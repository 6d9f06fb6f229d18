// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A mask of no bits is made by a shift by all 32.
// run: --neighbor --size 64
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned bits = threadIdx.x % 4;
  const unsigned low = bits == 0 ? 0 : ~0u >> (32 - bits);
  if (i < size) output[i] = input[i] + static_cast<float>(low);
}
