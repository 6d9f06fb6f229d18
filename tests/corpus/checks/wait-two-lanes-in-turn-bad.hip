// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two lanes of one warp pass a ball to each other.
// run: program
// finds: wait_within_warp
// lane: 1 1
// other lane: 0 0
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void rally(int* box, int* output) {
  const int left = 0, right = 1;
  for (int round = 0; round < 4; ++round) {
    if (threadIdx.x == left) {
      while (atomicAdd(&box[0], 0) != 2 * round) continue;
      atomicAdd(output, 1);
      atomicExch(&box[0], 2 * round + 1);  // second
    } else if (threadIdx.x == right) {
      while (atomicAdd(&box[0], 0) != 2 * round + 1) continue;  // first
      atomicExch(&box[0], 2 * round + 2);
    }
  }
}

int main() {
  int host = 0, *box, *output;
  hipMalloc(&box, 2 * sizeof(int));
  hipMalloc(&output, sizeof(int));
  hipMemset(box, 0, 2 * sizeof(int));
  hipMemset(output, 0, sizeof(int));
  rally<<<1, 128>>>(box, output);
  hipMemcpy(&host, output, sizeof host, hipMemcpyDeviceToHost);
  std::printf("%d\n", host);
  hipFree(box);
  hipFree(output);
}
// no repair: each of the two branches waits for the other one, so neither can come first
