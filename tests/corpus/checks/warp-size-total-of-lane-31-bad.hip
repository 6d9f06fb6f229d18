// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The running sum is right for every lane, but its total is taken from lane 31.
// modelled on: https://github.com/ORNL/HeCBench/issues/177
// run: --warp-sum --warp-size both
// finds: warp_size_dependence
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x % warpSize;
  float sum = i < size ? input[i] : 0.0f;
  for (int offset = 1; offset < warpSize; offset *= 2) {
    const float before = __shfl_up(sum, offset);
    if (lane >= offset) sum += before;
  }
  sum = __shfl(sum, 31);  // first
  if (i < size) output[i] = sum;
}
