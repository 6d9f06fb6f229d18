// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The lane that gives comes before the one that waits, in another branch.
// run: program
// finds: wait_within_warp
// lane: 1 1
// other lane: 0 0
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void hand_over(int* box, int* output) {
  const int taker = 1, giver = 0;
  if (threadIdx.x == taker) {
    while (atomicOr(&box[0], 0) == 0) continue;  // first
    __threadfence();
    *output = box[1];
  } else if (threadIdx.x == giver) {
    box[1] = 42;
    __threadfence();
    atomicExch(&box[0], 1);  // second
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
