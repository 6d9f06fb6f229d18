// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The lanes with a large value take the first one of their group, which may be any part of them.
// run: program --warp-size 32
#include <hip/hip_cooperative_groups.h>
#include <hip/hip_runtime.h>

#include <cstdio>

namespace cg = cooperative_groups;

__global__ void first_large(const int* in, int* out, int n) {
  const int i = threadIdx.x;
  const bool is_large = i < n && in[i] > 10;
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const auto large = cg::binary_partition(warp, is_large);
  if (is_large) out[i] = large.shfl(in[i], 0);
}

int main() {
  int host[128], result[128] = {}, *in, *out;
  for (int i = 0; i < 128; ++i) host[i] = i * 7 % 31;
  hipMalloc(&in, sizeof host);
  hipMalloc(&out, sizeof result);
  hipMemcpy(in, host, sizeof host, hipMemcpyHostToDevice);
  hipMemset(out, 0, sizeof result);
  first_large<<<1, 64>>>(in, out, 100);
  hipMemcpy(result, out, sizeof result, hipMemcpyDeviceToHost);
  for (const int each : result) std::printf("%d ", each);
  std::printf("\n");
  hipFree(in);
  hipFree(out);
}
