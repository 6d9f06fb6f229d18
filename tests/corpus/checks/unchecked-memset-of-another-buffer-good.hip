// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The counters are cleared by their own size.
// run: program
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void count_even(int* counts, const int* values, int count) {
  const int i = threadIdx.x;
  if (i < count && values[i] % 2 == 0) atomicAdd(&counts[values[i] % 10], 1);
}

int main() {
  constexpr int count = 64, digits = 10;
  int host[count], counted[digits];
  for (int i = 0; i < count; ++i) host[i] = i * 7;
  int *values, *counts;
  hipMalloc(&values, sizeof host);
  hipMalloc(&counts, sizeof counted);
  hipMemcpy(values, host, sizeof host, hipMemcpyHostToDevice);
  hipMemset(counts, 0, sizeof counted);
  count_even<<<1, count>>>(counts, values, count);
  hipMemcpy(counted, counts, sizeof counted, hipMemcpyDeviceToHost);
  std::printf("%d\n", counted[4]);
  hipFree(values);
  hipFree(counts);
}
