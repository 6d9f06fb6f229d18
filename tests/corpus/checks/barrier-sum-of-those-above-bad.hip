// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sum of the block in a branch that only some warps take; the others go on to the next barrier.
// run: program
// finds: diverged_barrier
// lane: 0 0
#include <hip/hip_runtime.h>

#include <cstdio>

#include "warpz/block.hpp"

/// What the first warp's elements add up to, and how many all are.
__global__ void keep(int* output, const int* input, int count, int*) {
  const int i = threadIdx.x;
  __shared__ int all;
  int sum = 0;
  if (i == 0) all = 0;
  __syncthreads();
  if (i / warpSize == 0) sum = warpz::block::sum(i < count ? input[i] : 0);  // first
  if (i < count) atomicAdd(&all, 1);
  __syncthreads();
  if (i == 0) *output = sum + all;
}

int main() {
  constexpr int count = 200;
  int host[count], sum = 0;
  for (int i = 0; i < count; ++i) host[i] = i % 7;
  int *input, *output, *places;
  hipMalloc(&input, sizeof host);
  hipMalloc(&output, sizeof host);
  hipMalloc(&places, sizeof(int));
  hipMemcpy(input, host, sizeof host, hipMemcpyHostToDevice);
  hipMemset(output, 0, sizeof host);
  hipMemset(places, 0, sizeof(int));
  keep<<<1, 256>>>(output, input, count, places);
  hipMemcpy(host, output, sizeof host, hipMemcpyDeviceToHost);
  for (const int each : host) sum += each;
  std::printf("%d\n", sum);
  hipFree(input);
  hipFree(output);
  hipFree(places);
}
// no repair: what the other threads bring to the call is for the author to say
