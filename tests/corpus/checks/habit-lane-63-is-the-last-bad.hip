// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The lane with number 63 writes for its warp, which may have 32.
// run: program --warp-size 32
// warns: warp_size_assumption
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void last(int* out, const int* in) {
  const int lane = threadIdx.x % 64;  // first
  if (lane == 63) out[threadIdx.x / 64] = in[threadIdx.x];
}

int main() {
  constexpr int count = 128;
  int *in, *out, all[count] = {};
  for (int i = 0; i < count; ++i) all[i] = i;
  hipMalloc(&in, sizeof all);
  hipMalloc(&out, sizeof all);
  hipMemcpy(in, all, sizeof all, hipMemcpyHostToDevice);
  hipMemset(out, 0, sizeof all);
  last<<<1, count>>>(out, in);
  hipMemcpy(all, out, sizeof all, hipMemcpyDeviceToHost);
  for (int i = 0; i < 2; ++i) std::printf("%d\n", all[i]);
  hipFree(in);
  hipFree(out);
}
