// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lane looks at the counter before it adds to it: its plain read, which its own atomic follows, races with the atomic
// of a lane of the next warp.
// run: program
// finds: data_race
// lane: 0 0
// other lane: 0 0
#include <hip/hip_runtime.h>

__global__ void count(unsigned* counter, unsigned* before) {
  if (threadIdx.x == 0) {
    before[0] = *counter;  // second
    atomicAdd(counter, 1u);
  }
  if (threadIdx.x == warpSize) atomicAdd(counter, 1u);  // first
}

int main() {
  unsigned *counter, *before;
  hipMallocManaged(&counter, sizeof *counter);
  hipMalloc(&before, sizeof *before);
  *counter = 0;
  count<<<1, 2 * warpSize>>>(counter, before);
  hipFree(counter);
  hipFree(before);
}
