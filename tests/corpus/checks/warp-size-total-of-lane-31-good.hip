// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The total of a running sum is what the last lane of the warp has, whichever that is.
// modelled on: https://github.com/ORNL/HeCBench/issues/177
// run: --warp-sum --warp-size both
__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x % warpSize;
  float sum = i < size ? input[i] : 0.0f;
  for (int offset = 1; offset < warpSize; offset *= 2) {
    const float before = __shfl_up(sum, offset);
    if (lane >= offset) sum += before;
  }
  sum = __shfl(sum, warpSize - 1);
  if (i < size) output[i] = sum;
}
