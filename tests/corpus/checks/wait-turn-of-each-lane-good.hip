// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes take turns by a counter, which each advances behind its loop.
// run: program
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void add_all(const int* input, int* lock, int* total) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (bool waits = true; waits;) {
    if (atomicAdd(lock, 0) == i) {
      __threadfence();
      *total += input[i];
      __threadfence();
      atomicAdd(lock, 1);
      waits = false;
    }
  }
}

int main() {
  int input[128], sum = 0;
  for (int i = 0; i < 128; i++) input[i] = i;
  int *numbers, *lock, *total;
  hipMalloc(&numbers, sizeof input);
  hipMalloc(&lock, sizeof(int));
  hipMalloc(&total, sizeof(int));
  hipMemcpy(numbers, input, sizeof input, hipMemcpyHostToDevice);
  hipMemset(lock, 0, sizeof(int));
  hipMemset(total, 0, sizeof(int));
  add_all<<<1, 64>>>(numbers, lock, total);
  hipMemcpy(&sum, total, sizeof(int), hipMemcpyDeviceToHost);
  std::printf("%d\n", sum);
  hipFree(numbers);
  hipFree(lock);
  hipFree(total);
}
