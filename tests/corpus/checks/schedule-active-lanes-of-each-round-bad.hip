// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many lanes have a large value in each round of a loop, of which the last one has fewer lanes.
// run: program --warp-size 32
// finds: schedule_dependence
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void count_large(const int* in, int* out, int n) {
  const int lane = threadIdx.x % warpSize;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    const unsigned long long together = __activemask();  // first
    const unsigned long long large = __ballot_sync(together, in[i] > 10);
    if (lane == 0) out[i / warpSize] = __popcll(large);
  }
}

int main() {
  int host[128], result[128] = {}, *in, *out;
  for (int i = 0; i < 128; ++i) host[i] = i * 7 % 31;
  hipMalloc(&in, sizeof host);
  hipMalloc(&out, sizeof result);
  hipMemcpy(in, host, sizeof host, hipMemcpyHostToDevice);
  hipMemset(out, 0, sizeof result);
  count_large<<<1, 64>>>(in, out, 100);
  hipMemcpy(result, out, sizeof result, hipMemcpyDeviceToHost);
  for (const int each : result) std::printf("%d ", each);
  std::printf("\n");
  hipFree(in);
  hipFree(out);
}
