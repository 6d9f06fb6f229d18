// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tries how many threads a block may have, and looks at the error.
// run: program
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void count(int* total) { atomicAdd(total, 1); }

int main() {
  int *total, host = 0;
  hipMalloc(&total, sizeof(int));
  hipMemset(total, 0, sizeof(int));
  for (int threads = 4096; threads != 0; threads /= 2) {
    count<<<1, threads>>>(total);
    if (hipGetLastError() == hipSuccess) break;
  }
  hipMemcpy(&host, total, sizeof(int), hipMemcpyDeviceToHost);
  std::printf("%d\n", host);
  hipFree(total);
}
