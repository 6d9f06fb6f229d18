// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop over the three weights of a kernel's local table goes on to the fourth.
// run: --neighbor --size 64
// finds: out_of_bounds
// lane: 0 0
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float weights[3] = {0.25f, 0.5f, 0.25f};
  float sum = 0;
  for (int k = 0; k <= 3 && i + k < size; ++k) sum += weights[k] * input[i + k];  // first
  if (i < size) output[i] = sum;
}
