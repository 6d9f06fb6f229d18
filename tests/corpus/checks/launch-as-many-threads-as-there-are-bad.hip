// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// As many threads as there may be, by a number that no device has.
// run: program
// finds: invalid_launch
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void count(int* total) { atomicAdd(total, 1); }

int main() {
  int *total, host = 0;
  hipMalloc(&total, sizeof(int));
  hipMemset(total, 0, sizeof(int));
  constexpr int threads = 4096;
  count<<<1, threads>>>(total);  // first
  hipMemcpy(&host, total, sizeof(int), hipMemcpyDeviceToHost);
  std::printf("%d\n", host);
  hipFree(total);
}
