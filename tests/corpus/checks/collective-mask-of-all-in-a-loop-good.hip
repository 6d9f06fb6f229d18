// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes go through an array of 50 in steps of a warp, and ask all others in each round.
// run: program
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void count_large(const int* in, int* out) {
  const int lane = threadIdx.x % warpSize;
  if (threadIdx.x >= warpSize) return;
  int count = 0;
  for (int i = lane; i - lane < 50; i += warpSize) {
    const auto large = __ballot_sync(~0ull, i < 50 && in[i] > 10);
    count += __popcll(large);
  }
  if (lane == 0) out[0] = count;
}

int main() {
  int host[64], result[66] = {}, *in, *out;
  for (int i = 0; i < 64; ++i) host[i] = i;
  hipMalloc(&in, sizeof host);
  hipMalloc(&out, sizeof result);
  hipMemcpy(in, host, sizeof host, hipMemcpyHostToDevice);
  hipMemset(out, 0, sizeof result);
  count_large<<<1, 64>>>(in, out);
  hipMemcpy(result, out, sizeof result, hipMemcpyDeviceToHost);
  std::printf("%d %d\n", result[0], result[1]);
  hipFree(in);
  hipFree(out);
}
