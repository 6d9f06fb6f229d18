// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts by an addition of each set of active lanes, which is right, and votes among them, which is not.
// run: program --warp-size 32
// finds: schedule_dependence
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void count_and_vote(const int* in, int* count, int* all_large) {
  const int i = threadIdx.x, lane = i % warpSize;
  if (in[i] % 2 == 1) {
    const unsigned long long odd_lanes = __activemask();  // first
    const unsigned long long large = __ballot_sync(odd_lanes, in[i] > 10);
    if (lane == __ffsll(odd_lanes) - 1) {
      atomicAdd(count, __popcll(odd_lanes));
      atomicAdd(&all_large[i / warpSize], large == odd_lanes);
    }
  }
}

int main() {
  int host[64], result[3] = {}, *in, *out;
  for (int i = 0; i < 64; ++i) host[i] = i % 32 == 1 ? 7 : 11 + i * 5 % 23;
  hipMalloc(&in, sizeof host);
  hipMalloc(&out, sizeof result);
  hipMemcpy(in, host, sizeof host, hipMemcpyHostToDevice);
  hipMemset(out, 0, sizeof result);
  count_and_vote<<<1, 64>>>(in, out, out + 1);
  hipMemcpy(result, out, sizeof result, hipMemcpyDeviceToHost);
  std::printf("%d %d %d\n", result[0], result[1], result[2]);
  hipFree(in);
  hipFree(out);
}
