// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first lane waits for what the last one sets behind the loop.
// run: program
// finds: wait_within_warp
// lane: 0 0
// other lane: 31 63
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void announce(int* box, int* output) {
  const int lane = threadIdx.x;
  const int last = warpSize - 1;
  while (lane == 0 && __hip_atomic_load(box, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT) == 0) continue;  // first
  if (lane == last) __hip_atomic_store(box, 1, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);               // second
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
