// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A fixed-point number with nine digits does not fit in an int.
// run: --neighbor --size 64
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const long long scaled = i < size ? static_cast<long long>((input[i] + 10.0f) * 1e9f) : 0;
  if (i < size) output[i] = static_cast<float>(scaled);
}
