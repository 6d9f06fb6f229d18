// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each lane takes one lock in turn. The lane that has it waits for the others where the loop ends.
// run: program
// finds: wait_within_warp
// lane: 1 1
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void add_all(const int* input, int* lock, int* total) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  while (atomicCAS(lock, 0, 1) != 0) continue;  // first
  __threadfence();
  *total += input[i];
  __threadfence();
  atomicExch(lock, 0);
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
