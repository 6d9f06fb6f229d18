// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The atomic itself says what the counter was.
// run: program
#include <hip/hip_runtime.h>

__global__ void count(unsigned* counter, unsigned* before) {
  if (threadIdx.x == 0) {
    before[0] = atomicAdd(counter, 1u);
  }
  if (threadIdx.x == warpSize) atomicAdd(counter, 1u);
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
