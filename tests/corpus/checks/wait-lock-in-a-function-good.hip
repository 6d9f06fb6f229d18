// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loop is in one function, and the lock is given back in another one.
// run: program
#include <hip/hip_runtime.h>

#include <cstdio>

__device__ bool try_acquire(int* lock) {
  if (atomicExch(lock, 1) != 0) return false;
  __threadfence();
  return true;
}

__device__ void release(int* lock) {
  __threadfence();
  atomicExch(lock, 0);
}

__global__ void add_all(const int* input, int* lock, int* total) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  bool waits = true;
  while (waits) {
    if (try_acquire(lock)) {
      *total += input[i];
      release(lock);
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
  add_all<<<2, 64>>>(numbers, lock, total);
  hipMemcpy(&sum, total, sizeof(int), hipMemcpyDeviceToHost);
  std::printf("%d\n", sum);
  hipFree(numbers);
  hipFree(lock);
  hipFree(total);
}
