// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads with an element count how many of their warp have one, by the group of those that go on.
// run: program --warp-size 32
// finds: schedule_dependence
#include <hip/hip_cooperative_groups.h>
#include <hip/hip_runtime.h>

#include <cstdio>

using namespace cooperative_groups;

__global__ void count_rest(const int* in, int* out, int n) {
  const int i = threadIdx.x;
  if (i >= n - 50) return;
  coalesced_group rest = coalesced_threads();  // first
  out[i] = in[i] * 100 + rest.size();
}

int main() {
  int host[128], result[128] = {}, *in, *out;
  for (int i = 0; i < 128; ++i) host[i] = i * 7 % 31;
  hipMalloc(&in, sizeof host);
  hipMalloc(&out, sizeof result);
  hipMemcpy(in, host, sizeof host, hipMemcpyHostToDevice);
  hipMemset(out, 0, sizeof result);
  count_rest<<<1, 64>>>(in, out, 100);
  hipMemcpy(result, out, sizeof result, hipMemcpyDeviceToHost);
  for (const int each : result) std::printf("%d ", each);
  std::printf("\n");
  hipFree(in);
  hipFree(out);
}
