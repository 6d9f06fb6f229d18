// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first lane sets it in front of the loop.
// run: program
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void announce(int* box, int* output) {
  const int lane = threadIdx.x;
  if (lane == 0) atomicExch(box, 1);
  while (lane == 5 && atomicAdd(box, 0) == 0) continue;
  if (lane == 5) *output = 7;
}

int main() {
  int host = 0, *box, *output;
  hipMalloc(&box, 2 * sizeof(int));
  hipMalloc(&output, sizeof(int));
  hipMemset(box, 0, 2 * sizeof(int));
  hipMemset(output, 0, sizeof(int));
  announce<<<1, 128>>>(box, output);
  hipMemcpy(&host, output, sizeof host, hipMemcpyDeviceToHost);
  std::printf("%d\n", host);
  hipFree(box);
  hipFree(output);
}
