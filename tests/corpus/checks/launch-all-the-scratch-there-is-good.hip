// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Takes less shared memory where the call says that there is not as much.
// run: program
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void count(int* total) { atomicAdd(total, 1); }

int main() {
  int *total, host = 0;
  hipMalloc(&total, sizeof(int));
  hipMemset(total, 0, sizeof(int));
  void* arguments[] = {&total};
  for (int bytes = 1 << 20; bytes > 0; bytes /= 32) {
    if (hipLaunchKernel(reinterpret_cast<const void*>(count), 1, 64, arguments, bytes, nullptr) == hipSuccess) break;
  }
  hipMemcpy(&host, total, sizeof(int), hipMemcpyDeviceToHost);
  std::printf("%d\n", host);
  hipFree(total);
}
