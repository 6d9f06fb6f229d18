// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The last block by number sets a count again, whether the others have come or not.
// run: program
// finds: data_race
// lane: 0 0
// other lane: 0 0
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void number_blocks(int* count, int* numbers) {
  if (threadIdx.x != 0) return;
  numbers[blockIdx.x] = atomicAdd(count, 1);    // second
  if (blockIdx.x == gridDim.x - 1) *count = 0;  // first
}

int main() {
  int *count, *numbers, result[4];
  hipMalloc(&count, sizeof(int));
  hipMalloc(&numbers, sizeof result);
  hipMemset(count, 0, sizeof(int));
  number_blocks<<<4, 32>>>(count, numbers);
  hipMemcpy(result, numbers, sizeof result, hipMemcpyDeviceToHost);
  std::printf("%d\n", result[0] + result[1] + result[2] + result[3]);
  hipFree(count);
  hipFree(numbers);
}
