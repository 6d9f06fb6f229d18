// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Eight bytes at an address that is a multiple of four.
// run: --neighbor --size 64
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  if (i + 2 < size) {
    const double* const pair = reinterpret_cast<const double*>(input + i % 8 * 2);
    output[i] = static_cast<float>(*pair);
  }
}
