// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All blocks wait for each other after each step, and one has fewer steps than the other.
// modelled on: https://github.com/predibase/lorax/pull/156
// run: program --timeout 0.3
// finds: no_progress
// lane: 0 0
#include <hip/hip_runtime.h>

#include <cstdio>

__device__ int arrived;

__global__ void sums_in_step(const int* lengths, int* sums, int longest) {
  int sum = 0;
  for (int step = 0; step < lengths[blockIdx.x]; ++step) {
    sum += step + longest;
    atomicAdd(&arrived, 1);
    while (atomicAdd(&arrived, 0) < (step + 1) * static_cast<int>(gridDim.x)) continue;  // first
  }
  sums[blockIdx.x] = sum;
}

int main() {
  constexpr int blocks = 2, longest = 3;
  int host[blocks] = {longest, 1}, *lengths, *sums;
  hipMalloc(&lengths, sizeof host);
  hipMalloc(&sums, sizeof host);
  hipMemcpy(lengths, host, sizeof host, hipMemcpyHostToDevice);
  sums_in_step<<<blocks, 1>>>(lengths, sums, longest);
  hipMemcpy(host, sums, sizeof host, hipMemcpyDeviceToHost);
  std::printf("%d %d\n", host[0], host[1]);
  hipFree(lengths);
  hipFree(sums);
  return 0;
}
// no repair: how many steps are meant is for the author to say
