// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each lane waits for the running total of the lane before it, which is often one of its own warp.
// run: program
// finds: wait_within_warp
// lane: 1 1
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void running_totals(const int* input, int* done, int* totals) {
  const int i = threadIdx.x;
  while (i > 0 && atomicAdd(&done[i - 1], 0) == 0) continue;  // first
  __threadfence();
  totals[i] = input[i] + (i > 0 ? totals[i - 1] : 0);
  __threadfence();
  atomicExch(&done[i], 1);
}

int main() {
  int input[64], totals[64];
  for (int i = 0; i < 64; i++) input[i] = i;
  int *numbers, *done, *sums;
  hipMalloc(&numbers, sizeof input);
  hipMalloc(&done, sizeof input);
  hipMalloc(&sums, sizeof totals);
  hipMemcpy(numbers, input, sizeof input, hipMemcpyHostToDevice);
  hipMemset(done, 0, sizeof input);
  running_totals<<<1, 64>>>(numbers, done, sums);
  hipMemcpy(totals, sums, sizeof totals, hipMemcpyDeviceToHost);
  std::printf("%d\n", totals[63]);
  hipFree(numbers);
  hipFree(done);
  hipFree(sums);
}
