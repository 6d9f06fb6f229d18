// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks take turns by a volatile number, which each raises for the next one, and nobody waits.
// run: program
// finds: data_race
// lane: 0 0
// other lane: 0 0
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void append(volatile int* turn, int* order) {
  if (threadIdx.x != 0) return;
  __threadfence();
  order[blockIdx.x] = threadIdx.x;
  __threadfence();
  *turn = *turn + 1;  // first, second
}

int main() {
  int *turn, *order, result[4];
  hipMalloc(&turn, sizeof(int));
  hipMalloc(&order, sizeof result);
  hipMemset(turn, 0, sizeof(int));
  append<<<4, 32>>>(turn, order);
  hipMemcpy(result, order, sizeof result, hipMemcpyDeviceToHost);
  std::printf("%d %d\n", result[0], result[3]);
  hipFree(turn);
  hipFree(order);
}
