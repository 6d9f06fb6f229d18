// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Filters of 19 weights are allowed, and the array in constant memory was left at 17.
// modelled on: https://github.com/arrayfire/arrayfire/pull/2835
// run: program
// finds: out_of_bounds
// lane: 17 17
#include <hip/hip_runtime.h>

#include <cstdio>

constexpr int longest = 17;
__constant__ float weights[longest];

__global__ void filter(float* output, const float* input, int length) {
  const int i = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < length && k <= i; ++k) {
    sum += weights[k] * input[i - k];  // first
  }
  output[i] = sum;
}

int main() {
  constexpr int n = 64;
  constexpr int length = 19;
  float numbers[n], chosen[length];
  for (int i = 0; i < n; ++i) numbers[i] = 1;
  for (int k = 0; k < length; ++k) chosen[k] = 0.5f;
  float *input, *output;
  hipMalloc(&input, sizeof numbers);
  hipMalloc(&output, sizeof numbers);
  hipMemcpy(input, numbers, sizeof numbers, hipMemcpyHostToDevice);
  hipMemcpyToSymbol(HIP_SYMBOL(weights), chosen, sizeof weights);
  filter<<<1, n>>>(output, input, length);
  float begin = 0;
  hipMemcpy(&begin, output, sizeof begin, hipMemcpyDeviceToHost);
  std::printf("%.1f\n", begin);
  hipFree(output);
  hipFree(input);
  return 0;
}
