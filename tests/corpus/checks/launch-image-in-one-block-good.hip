// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Falls back to smaller blocks where the launch has failed.
// run: program
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void count(int* total) { atomicAdd(total, 1); }

int main() {
  int *total, host = 0;
  hipMalloc(&total, sizeof(int));
  hipMemset(total, 0, sizeof(int));
  count<<<1, dim3(64, 48)>>>(total);
  if (const hipError_t error = hipPeekAtLastError(); error != hipSuccess) {
    std::printf("%s\n", hipGetErrorName(error));
    count<<<dim3(4, 3), dim3(16, 16)>>>(total);
  }
  hipMemcpy(&host, total, sizeof(int), hipMemcpyDeviceToHost);
  std::printf("%d\n", host);
  hipFree(total);
}
