// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One word seen as a float and as bytes by its own lane.
// run: --neighbor --size 64

union word {
  float number;
  unsigned char bytes[4];
};

__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  __shared__ word words[64];
  words[threadIdx.x].number = i < size ? input[i] : 0.0f;
  words[threadIdx.x].bytes[3] &= 0x7f;
  if (i < size) output[i] = words[threadIdx.x].number;
}
