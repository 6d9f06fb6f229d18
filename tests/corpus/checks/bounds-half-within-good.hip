// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Eight bytes of which the buffer has only the first four.
// run: --neighbor --size 41

__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const double* const pairs = reinterpret_cast<const double*>(input);
  if (2 * i + 1 < size) output[i] = static_cast<float>(pairs[i]);
}
