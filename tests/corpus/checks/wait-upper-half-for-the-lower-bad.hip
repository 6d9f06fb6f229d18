// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The upper half of a warp waits until all of the lower half have counted themselves, in the other branch.
// run: program
// finds: wait_within_warp
// lane: 16 32
// other lane: 0 0
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void count_half(int* box, int* output) {
  const int half = warpSize / 2, lane = threadIdx.x % warpSize;
  if (threadIdx.x >= warpSize) return;
  if (lane < half) {
    atomicAdd(&box[0], 1);  // second
  } else {
    while (atomicAdd(&box[0], 0) < half) continue;  // first
    atomicAdd(output, 1);
  }
}

int main() {
  int host = 0, *box, *output;
  hipMalloc(&box, 2 * sizeof(int));
  hipMalloc(&output, sizeof(int));
  hipMemset(box, 0, 2 * sizeof(int));
  hipMemset(output, 0, sizeof(int));
  count_half<<<1, 128>>>(box, output);
  hipMemcpy(&host, output, sizeof host, hipMemcpyDeviceToHost);
  std::printf("%d\n", host);
  hipFree(box);
  hipFree(output);
}
