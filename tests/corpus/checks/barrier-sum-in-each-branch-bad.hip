// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each half of the block calls a sum of the block of its own, which meets the other one.
// run: program
// finds: diverged_barrier
// lane: 0 0
#include <hip/hip_runtime.h>

#include <cstdio>

#include "warpz/block.hpp"

/// What all elements add up to, of which the upper half counts twice.
__global__ void keep(int* output, const int* input, int count, int*) {
  const int i = threadIdx.x;
  const int mine = i < count ? input[i] : 0;
  int sum;
  if (i < 128) {
    sum = warpz::block::sum(mine);  // first
  } else {
    sum = warpz::block::sum(2 * mine);
  }
  if (i == 0) *output = sum;
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
// no repair: what each thread brings to the one call is for the author to say
