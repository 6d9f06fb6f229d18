// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A full share gets the last of the ten places in constant memory.
// modelled on: https://github.com/llvm/llvm-project/blob/main/compiler-rt/test/asan/TestCases/global-overflow.cpp
// run: program
#include <hip/hip_runtime.h>

#include <cstdio>

__constant__ float prices[10] = {9, 8, 7, 6, 5, 4, 3, 2, 1, 0.5f};
__constant__ float fees[10] = {1, 1, 1, 1, 1, 2, 2, 2, 2, 2};

__global__ void charge(float* output, const float* shares, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size) return;
  const int place = shares[i] < 1 ? static_cast<int>(shares[i] * 10) : 9;
  const float price = prices[place];
  output[i] = price + fees[i % 10];
}

int main() {
  constexpr int size = 60;
  float shares[size];
  for (int i = 0; i < size; ++i) shares[i] = i == 50 ? 1.0f : static_cast<float>(i % 8) / 8;
  float *input, *output;
  hipMalloc(&input, sizeof shares);
  hipMalloc(&output, sizeof shares);
  hipMemcpy(input, shares, sizeof shares, hipMemcpyHostToDevice);
  charge<<<1, 64>>>(output, input, size);
  float begin = 0;
  hipMemcpy(&begin, output, sizeof begin, hipMemcpyDeviceToHost);
  std::printf("%.1f\n", begin);
  hipFree(output);
  hipFree(input);
  return 0;
}
