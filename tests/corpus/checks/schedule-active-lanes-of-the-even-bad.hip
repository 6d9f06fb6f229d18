// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In each round the lanes with an even value share their number, by the mask of those that are active in the branch.
// run: program --warp-size 32
// finds: schedule_dependence
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void share(const int* in, int* out, int n) {
  for (int i = threadIdx.x; i < n; i += 64) {
    if (in[i] % 2 == 0) {
      const unsigned long long even = __activemask();  // first
      out[i] = __popcll(even);
    }
  }
}

int main() {
  int host[128], result[128] = {}, *in, *out;
  for (int i = 0; i < 128; ++i) host[i] = i * 7 % 31;
  hipMalloc(&in, sizeof host);
  hipMalloc(&out, sizeof result);
  hipMemcpy(in, host, sizeof host, hipMemcpyHostToDevice);
  hipMemset(out, 0, sizeof result);
  share<<<1, 64>>>(in, out, 100);
  hipMemcpy(result, out, sizeof result, hipMemcpyDeviceToHost);
  for (const int each : result) std::printf("%d ", each);
  std::printf("\n");
  hipFree(in);
  hipFree(out);
}
