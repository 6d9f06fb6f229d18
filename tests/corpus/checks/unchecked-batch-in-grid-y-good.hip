// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The batch is in the direction that allows many blocks.
// run: program
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void scale(float* values, int items) {
  const int item = blockIdx.x;
  if (item < items && threadIdx.x == 0) values[item] *= 2;
}

int main() {
  constexpr int items = 70000;
  static float host[items];
  for (float& each : host) each = 1;
  float* values;
  hipMalloc(&values, sizeof host);
  hipMemcpy(values, host, sizeof host, hipMemcpyHostToDevice);
  scale<<<items, 32>>>(values, items);
  hipMemcpy(host, values, sizeof host, hipMemcpyDeviceToHost);
  std::printf("%g\n", host[items - 1]);
  hipFree(values);
}
