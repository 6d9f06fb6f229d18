// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The array in constant memory has as many weights as the longest filter that is allowed.
// modelled on: https://github.com/arrayfire/arrayfire/pull/2835
// run: program
#include <hip/hip_runtime.h>

#include <cstdio>

constexpr int longest = 19;
__constant__ float weights[longest];

__global__ void filter(float* output, const float* input, int length) {
  const int i = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < length && k <= i; ++k) {
    sum += weights[k] * input[i - k];
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
