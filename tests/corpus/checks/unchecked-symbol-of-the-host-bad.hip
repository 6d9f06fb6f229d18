// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A copy to a symbol that is a variable of the host.
// run: program
// finds: unchecked_error
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
  hipMemcpyToSymbol(weights, host, sizeof weights);  // first
  weigh<<<1, count>>>(values, weights[1]);
  hipMemcpy(host, values, sizeof host, hipMemcpyDeviceToHost);
  std::printf("%g\n", host[count - 1]);
  hipFree(values);
}
