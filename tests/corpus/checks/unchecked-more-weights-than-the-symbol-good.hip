// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// As much is copied to a constant as it has room for.
// run: program
#include <hip/hip_runtime.h>

#include <cstdio>

__constant__ float weights[8];

__global__ void weigh(float* values) { values[threadIdx.x] = weights[threadIdx.x % 8]; }

int main() {
  constexpr int count = 32;
  float host[count];
  for (int i = 0; i < count; ++i) host[i] = static_cast<float>(i);
  float* values;
  hipMalloc(&values, sizeof host);
  hipMemcpyToSymbol(weights, host, sizeof weights);
  weigh<<<1, count>>>(values);
  hipMemcpy(host, values, sizeof host, hipMemcpyDeviceToHost);
  std::printf("%g\n", host[count - 1]);
  hipFree(values);
}
