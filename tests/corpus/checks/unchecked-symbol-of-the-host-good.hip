// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A variable of the host is copied to by the host.
// run: program
#include <hip/hip_runtime.h>

#include <cstdio>

float weights[8];

__global__ void weigh(float* values, float weight) { values[threadIdx.x] *= weight; }

int main() {
  constexpr int count = 32;
  float host[count];
  for (int i = 0; i < count; ++i) host[i] = static_cast<float>(i);
  float* values;
  hipMalloc(&values, sizeof host);
  hipMemcpy(values, host, sizeof host, hipMemcpyHostToDevice);
  for (int i = 0; i < 8; ++i) weights[i] = host[i];
  weigh<<<1, count>>>(values, weights[1]);
  hipMemcpy(host, values, sizeof host, hipMemcpyDeviceToHost);
  std::printf("%g\n", host[count - 1]);
  hipFree(values);
}
