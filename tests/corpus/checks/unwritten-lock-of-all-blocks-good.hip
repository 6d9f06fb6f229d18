// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lock that all blocks take, by an exchange, and which is set to 0 before.
// run: program
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void add(int* lock, int* sum) {
  if (threadIdx.x != 0) return;
  while (atomicExch(lock, 1) != 0) continue;
  __threadfence();
  *sum += 1;
  __threadfence();
  atomicExch(lock, 0);
}

int main() {
  int *lock, *sum, total;
  hipMalloc(&lock, sizeof(int));
  hipMalloc(&sum, sizeof(int));
  hipMemset(lock, 0, sizeof(int));
  hipMemset(sum, 0, sizeof(int));
  add<<<4, 64>>>(lock, sum);
  hipMemcpy(&total, sum, sizeof(int), hipMemcpyDeviceToHost);
  std::printf("%d\n", total);
  hipFree(lock);
  hipFree(sum);
}
