// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The two are lanes of two warps.
// run: program
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void hand_over(int* box, int* output) {
  const int taker = 64, giver = 0;
  if (threadIdx.x == taker) {
    while (atomicOr(&box[0], 0) == 0) continue;
    __threadfence();
    *output = box[1];
  } else if (threadIdx.x == giver) {
    box[1] = 42;
    __threadfence();
    atomicExch(&box[0], 1);
  }
}

int main() {
  int host = 0, *box, *output;
  hipMalloc(&box, 2 * sizeof(int));
  hipMalloc(&output, sizeof(int));
  hipMemset(box, 0, 2 * sizeof(int));
  hipMemset(output, 0, sizeof(int));
  hand_over<<<1, 128>>>(box, output);
  hipMemcpy(&host, output, sizeof host, hipMemcpyDeviceToHost);
  std::printf("%d\n", host);
  hipFree(box);
  hipFree(output);
}
