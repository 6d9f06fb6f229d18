// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks take turns by a volatile number, which each raises for the next one.
// run: program
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void append(int* turn, int* order, int* end) {
  if (threadIdx.x != 0) return;
  while (atomicAdd(turn, 0) != static_cast<int>(blockIdx.x)) continue;
  __threadfence();
  order[(*end)++] = blockIdx.x;
  __threadfence();
  atomicAdd(turn, 1);
}

int main() {
  int *turn, *end, *order, result[4];
  hipMalloc(&turn, sizeof(int));
  hipMalloc(&end, sizeof(int));
  hipMalloc(&order, sizeof result);
  hipMemset(turn, 0, sizeof(int));
  hipMemset(end, 0, sizeof(int));
  append<<<4, 32>>>(turn, order, end);
  hipMemcpy(result, order, sizeof result, hipMemcpyDeviceToHost);
  std::printf("%d %d\n", result[0], result[3]);
  hipFree(turn);
  hipFree(end);
  hipFree(order);
}
