// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes walk as far as their value says, and count who is still on the way.
// run: program --warp-size 32
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void walk(const int* in, int* out, int n) {
  const int i = threadIdx.x;
  unsigned long long walking = __ballot_sync(~0ull, i < n);
  if (i >= n) return;
  int left = in[i];
  do {
    out[i] += __popcll(walking);
    left -= 3;
    walking = __ballot_sync(walking, left > 0);
  } while (left > 0);
}

int main() {
  int host[128], result[128] = {}, *in, *out;
  for (int i = 0; i < 128; ++i) host[i] = i * 7 % 31;
  hipMalloc(&in, sizeof host);
  hipMalloc(&out, sizeof result);
  hipMemcpy(in, host, sizeof host, hipMemcpyHostToDevice);
  hipMemset(out, 0, sizeof result);
  walk<<<1, 64>>>(in, out, 100);
  hipMemcpy(result, out, sizeof result, hipMemcpyDeviceToHost);
  for (const int each : result) std::printf("%d ", each);
  std::printf("\n");
  hipFree(in);
  hipFree(out);
}
