// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The status of a cooperative launch says that its blocks have too many threads.
// run: program
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void count(int* total) { atomicAdd(total, 1); }

int main() {
  int *total, host = 0;
  hipMalloc(&total, sizeof(int));
  hipMemset(total, 0, sizeof(int));
  void* arguments[] = {&total};
  hipError_t status = hipLaunchCooperativeKernel(count, 2, 2000, arguments, 0, nullptr);
  if (status != hipSuccess) status = hipLaunchCooperativeKernel(count, 4, 1000, arguments, 0, nullptr);
  if (status != hipSuccess) return 1;
  hipMemcpy(&host, total, sizeof(int), hipMemcpyDeviceToHost);
  std::printf("%d\n", host);
  hipFree(total);
}
