// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The threads of a block are those of an image, which is too large for one. The copy's result is looked at.
// run: program
// finds: invalid_launch
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void count(int* total) { atomicAdd(total, 1); }

int main() {
  int *total, host = 0;
  hipMalloc(&total, sizeof(int));
  hipMemset(total, 0, sizeof(int));
  count<<<1, dim3(64, 48)>>>(total);  // first
  if (hipMemcpy(&host, total, sizeof(int), hipMemcpyDeviceToHost) != hipSuccess) return 1;
  hipMemcpy(&host, total, sizeof(int), hipMemcpyDeviceToHost);
  std::printf("%d\n", host);
  hipFree(total);
}
