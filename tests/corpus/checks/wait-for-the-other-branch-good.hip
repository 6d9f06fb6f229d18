// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One branch waits for what the other one sets, in another warp; and what is set before the branches part.
// run: program
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void hand_over(int* box, int* output) {
  const int taker = 0, giver = 64;
  if (threadIdx.x == 1) atomicExch(&box[2], 1);
  if (threadIdx.x == 0) {
    while (atomicOr(&box[2], 0) == 0) continue;
  }
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
  hipMalloc(&box, 3 * sizeof(int));
  hipMalloc(&output, sizeof(int));
  hipMemset(box, 0, 3 * sizeof(int));
  hand_over<<<1, 128>>>(box, output);
  hipMemcpy(&host, output, sizeof(int), hipMemcpyDeviceToHost);
  std::printf("%d\n", host);
  hipFree(box);
  hipFree(output);
}
