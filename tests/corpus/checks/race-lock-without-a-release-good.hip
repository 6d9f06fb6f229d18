// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A fence stands before the lock is given back.
// run: program
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void add_all(const int* in, int* lock, int* total) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(lock, 0, 1) != 0) continue;
  __threadfence();
  *total = *total + in[blockIdx.x];
  __threadfence();
  atomicExch(lock, 0);
}

int main() {
  constexpr int blocks = 4;
  int in[blocks] = {1, 2, 3, 4}, sum = 0;
  int *a, *lock, *total;
  hipMalloc(&a, sizeof in);
  hipMalloc(&lock, sizeof sum);
  hipMalloc(&total, sizeof sum);
  hipMemcpy(a, in, sizeof in, hipMemcpyHostToDevice);
  hipMemset(lock, 0, sizeof sum);
  hipMemset(total, 0, sizeof sum);
  add_all<<<blocks, 32>>>(a, lock, total);
  hipMemcpy(&sum, total, sizeof sum, hipMemcpyDeviceToHost);
  std::printf("%d\n", sum);
  hipFree(a);
  hipFree(lock);
  hipFree(total);
}
