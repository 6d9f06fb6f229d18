// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A reduction for 64 lanes: in a warp of 32 its outermost step adds each lane to itself.
// modelled on: https://github.com/ROCm/MIOpen/issues/1431
// run: --warp-sum --warp-size both
// finds: warp_size_dependence
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = i < size ? input[i] : 0.0f;
  for (int offset = 32; offset > 0; offset /= 2) sum += __shfl_xor(sum, offset);  // first
  if (i < size) output[i] = sum;
}
