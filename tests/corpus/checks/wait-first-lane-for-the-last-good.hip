// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The last lane sets it within the loop, in the round in which the first one looks.
// run: program
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void announce(int* box, int* output) {
  const int lane = threadIdx.x;
  const int last = warpSize - 1;
  for (bool waits = lane == 0 || lane == last; waits;) {
    if (lane == last) __hip_atomic_store(box, 1, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
    if (lane == last || __hip_atomic_load(box, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT) != 0) waits = false;
  }
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
