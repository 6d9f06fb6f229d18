// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A cooperative launch of blocks with too many threads, whose status is overwritten.
// run: program
// finds: invalid_launch
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void count(int* total) { atomicAdd(total, 1); }

int main() {
  int *total, host = 0;
  hipMalloc(&total, sizeof(int));
  hipMemset(total, 0, sizeof(int));
  void* arguments[] = {&total};
  hipError_t status = hipLaunchCooperativeKernel(count, 2, 2000, arguments, 0, nullptr);  // first
  status = hipMemcpy(&host, total, sizeof(int), hipMemcpyDeviceToHost);
  if (status != hipSuccess) return 1;
  hipMemcpy(&host, total, sizeof(int), hipMemcpyDeviceToHost);
  std::printf("%d\n", host);
  hipFree(total);
}
