// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A mode that no branch sets chooses among functions by numbers far apart.
// run: --neighbor --size 64
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int mode = 0;
  for (int k = size; k < i; ++k) mode = 40;
  float value = i < size ? input[i] : 0;
  switch (mode) {
    case 40:
      value *= 3;
      break;
    case 5000:
      value = -value;
      break;
    case 700000:
      value += 10;
      break;
  }
  if (i < size) output[i] = value;
}
