// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A hash that wraps, as each GPU computes it, of a signed number, which need not.
// run: --neighbor --size 64
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned hash = 17;
  for (int k = 0; k < 8; ++k) hash = hash * 31 + i * 65599u;
  if (i < size) output[i] = static_cast<float>(hash & 0xff);
}
