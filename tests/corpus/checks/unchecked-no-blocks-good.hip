// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The number of blocks is rounded up.
// run: program
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void negate(int* values, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] = -values[i];
}

int main() {
  constexpr int count = 100;
  int host[count];
  for (int i = 0; i < count; ++i) host[i] = i;
  int* values;
  hipMalloc(&values, sizeof host);
  hipMemcpy(values, host, sizeof host, hipMemcpyHostToDevice);
  negate<<<(count + 127) / 128, 128>>>(values, count);
  hipMemcpy(host, values, sizeof host, hipMemcpyDeviceToHost);
  std::printf("%d\n", host[count - 1]);
  hipFree(values);
}
