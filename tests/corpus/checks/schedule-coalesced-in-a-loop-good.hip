// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In each round one lane of the group writes the size of the group, which is taken anew.
// run: program --warp-size 32
#include <hip/hip_cooperative_groups.h>
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void sizes(const int* in, int* out, int n) {
  const auto warp = cooperative_groups::tiled_partition<32>(cooperative_groups::this_thread_block());
  int left = in[threadIdx.x];
  auto group = cooperative_groups::binary_partition(warp, left > 0);
  while (left > 0) {
    out[threadIdx.x] += group.size();
    left -= 5;
    group = cooperative_groups::binary_partition(group, left > 0);
  }
}

int main() {
  int host[128], result[128] = {}, *in, *out;
  for (int i = 0; i < 128; ++i) host[i] = i * 7 % 31;
  hipMalloc(&in, sizeof host);
  hipMalloc(&out, sizeof result);
  hipMemcpy(in, host, sizeof host, hipMemcpyHostToDevice);
  hipMemset(out, 0, sizeof result);
  sizes<<<1, 64>>>(in, out, 100);
  hipMemcpy(result, out, sizeof result, hipMemcpyDeviceToHost);
  for (const int each : result) std::printf("%d ", each);
  std::printf("\n");
  hipFree(in);
  hipFree(out);
}
