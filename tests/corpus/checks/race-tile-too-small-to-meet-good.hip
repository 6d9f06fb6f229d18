// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Groups of eight exchange values, and tiles of four synchronize.
// run: program
#include <hip/hip_cooperative_groups.h>
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void rotate(const int* in, int* part, int* out, unsigned* count) {
  __shared__ int values[128];
  const auto tile = cooperative_groups::tiled_partition<8>(cooperative_groups::this_thread_block());
  const int t = threadIdx.x;
  values[t] = in[t];
  tile.sync();
  if (blockIdx.x == 0) out[t] = values[t / 8 * 8 + (t + 3) % 8];
}

int main() {
  int host[256], result[256] = {}, *in, *part, *out;
  unsigned* count;
  for (int i = 0; i < 256; ++i) host[i] = i * 7 % 31;
  hipMalloc(&in, sizeof host);
  hipMalloc(&part, sizeof host);
  hipMalloc(&out, sizeof result);
  hipMalloc(&count, sizeof(unsigned));
  hipMemcpy(in, host, sizeof host, hipMemcpyHostToDevice);
  hipMemset(out, 0, sizeof result);
  hipMemset(count, 0, sizeof(unsigned));
  rotate<<<2, 128>>>(in, part, out, count);
  hipMemcpy(result, out, sizeof result, hipMemcpyDeviceToHost);
  std::printf("%d %d %d\n", result[0], result[100], result[255]);
  hipFree(in);
  hipFree(part);
  hipFree(out);
  hipFree(count);
}
