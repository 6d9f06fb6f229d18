// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The last block by number sets a count again, whether the others have come or not.
// run: program
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void number_blocks(int* count, int* numbers) {
  if (threadIdx.x != 0) return;
  numbers[blockIdx.x] = atomicAdd(count, 1);
}

int main() {
  int *count, *numbers, result[4];
  hipMalloc(&count, sizeof(int));
  hipMalloc(&numbers, sizeof result);
  hipMemset(count, 0, sizeof(int));
  number_blocks<<<4, 32>>>(count, numbers);
  hipMemset(count, 0, sizeof(int));
  hipMemcpy(result, numbers, sizeof result, hipMemcpyDeviceToHost);
  std::printf("%d\n", result[0] + result[1] + result[2] + result[3]);
  hipFree(count);
  hipFree(numbers);
}
