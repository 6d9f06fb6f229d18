// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// More shared memory than a block has, and the call's result is dropped.
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
  hipLaunchKernel(reinterpret_cast<const void*>(count), 1, 64, arguments, 1 << 20, nullptr);  // first
  hipMemcpy(&host, total, sizeof(int), hipMemcpyDeviceToHost);
  std::printf("%d\n", host);
  hipFree(total);
}
