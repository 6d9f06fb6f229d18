// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reduction asks the device for the number of lanes, and has no step too many.
// modelled on: https://github.com/ROCm/MIOpen/issues/1431
// run: --warp-sum --warp-size both
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = i < size ? input[i] : 0.0f;
  for (int offset = warpSize / 2; offset > 0; offset /= 2) sum += __shfl_xor(sum, offset);
  if (i < size) output[i] = sum;
}
