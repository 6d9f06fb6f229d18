// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The vote counts lanes above 1, and the leader that it names may not be among those above 2.
// run: program
// finds: diverged_collective
// lane: 3 3
#include <hip/hip_runtime.h>

#include <cstdio>

/// Keeps the elements above 2, one behind the other: a lane asks for places for all of its warp.
__global__ void keep(int* output, const int* input, int count, int* places) {
  const int i = threadIdx.x;
  const bool is_kept = i < count && input[i] > 2;
  const unsigned long long kept = __ballot(i < count && input[i] > 1);
  const int leader = __ffsll(kept) - 1, lane = threadIdx.x % warpSize;
  if (!is_kept) return;
  int first = 0;
  if (lane == leader) first = atomicAdd(places, __popcll(kept));
  first = __shfl_sync(kept, first, leader);  // first
  output[first + __popcll(kept & ((1ull << lane) - 1))] = input[i];
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
