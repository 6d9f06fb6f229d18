// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The copy back has its own direction.
// run: program
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void halve(float* values) { values[threadIdx.x] /= 2; }

int main() {
  constexpr int count = 32;
  float host[count];
  for (int i = 0; i < count; ++i) host[i] = static_cast<float>(i);
  float* values;
  hipMalloc(&values, sizeof host);
  hipMemcpy(values, host, sizeof host, hipMemcpyHostToDevice);
  halve<<<1, count>>>(values);
  hipMemcpy(host, values, sizeof host, hipMemcpyDeviceToHost);
  std::printf("%g\n", host[count - 1]);
  hipFree(values);
}
