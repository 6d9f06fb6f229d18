// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A fixed-point number with nine digits does not fit in an int.
// run: --neighbor --size 64
// finds: undefined_arithmetic
// lane: 0 0
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int scaled = i < size ? static_cast<int>((input[i] + 10.0f) * 1e9f) : 0;  // first
  if (i < size) output[i] = static_cast<float>(scaled);
}
