// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Structs with padding that nobody writes are copied whole.
// run: --neighbor --size 64

struct padded {
  char letter;
  double number;
};

__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  __shared__ padded all[64], copies[64];
  all[threadIdx.x].letter = 'a';
  all[threadIdx.x].number = 1.0;
  copies[threadIdx.x] = all[threadIdx.x];
  if (i < size) output[i] = static_cast<float>(copies[threadIdx.x].number) + input[i] + copies[threadIdx.x].letter;
}
