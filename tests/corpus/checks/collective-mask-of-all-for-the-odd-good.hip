// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes with an odd value vote twice, by a mask of all lanes.
// run: program
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void vote(const int* in, int* out) {
  const int i = threadIdx.x, mine = in[i];
  const auto odd = __ballot_sync(~0ull, mine % 2 == 1);
  if (mine % 2 == 1) {
    const bool any = __any_sync(odd, mine > 40);
    const bool all = __all_sync(odd, mine < 60);
    out[i] = any + 2 * all;
  }
}

int main() {
  int host[64], result[66] = {}, *in, *out;
  for (int i = 0; i < 64; ++i) host[i] = i;
  hipMalloc(&in, sizeof host);
  hipMalloc(&out, sizeof result);
  hipMemcpy(in, host, sizeof host, hipMemcpyHostToDevice);
  hipMemset(out, 0, sizeof result);
  vote<<<1, 64>>>(in, out);
  hipMemcpy(result, out, sizeof result, hipMemcpyDeviceToHost);
  std::printf("%d %d\n", result[0], result[1]);
  hipFree(in);
  hipFree(out);
}
