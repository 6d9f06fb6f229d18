// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One lane waits in a loop that the first lane leaves at once, to set what is waited for.
// run: program
// finds: wait_within_warp
// lane: 5 5
// other lane: 0 0
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void announce(int* box, int* output) {
  const int lane = threadIdx.x;
  while (lane == 5 && atomicAdd(box, 0) == 0) continue;  // first
  if (lane == 0) atomicExch(box, 1);                     // second
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
