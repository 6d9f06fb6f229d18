// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The states of eight particles are cleared by hipMemsetD32; each pair writes its state to the pair's cell.
// run: program
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void deposit(const int* states, int* cells) {
  const int i = threadIdx.x;
  if (i % 4 == 0) cells[i / 4] = states[i];
}

int main() {
  int host[2], *states, *cells;
  hipMalloc(&states, 8 * sizeof(int));
  hipMalloc(&cells, 2 * sizeof(int));
  hipMemsetD32(states, 9, 8);
  deposit<<<1, 8>>>(states, cells);
  hipMemcpy(host, cells, sizeof host, hipMemcpyDeviceToHost);
  std::printf("%d %d\n", host[0], host[1]);
  hipFree(states);
  hipFree(cells);
}
