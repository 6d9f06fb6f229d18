// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The warps of a block are counted as having 32 threads; the first one decides.
// modelled on: https://github.com/ORNL/HeCBench/issues/171
// run: program --warp-size both
// warns: warp_size_assumption
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void pick(int* out, const int* in) {
  const int warp = threadIdx.x / 32;  // first
  out[threadIdx.x] = warp == 0 ? in[0] : 0;
}

int main() {
  constexpr int count = 64;
  int *in, *out, all[count] = {1};
  hipMalloc(&in, sizeof all);
  hipMalloc(&out, sizeof all);
  hipMemcpy(in, all, sizeof all, hipMemcpyHostToDevice);
  pick<<<1, count>>>(out, in);
  hipMemcpy(all, out, sizeof all, hipMemcpyDeviceToHost);
  std::printf("%d\n", all[0]);
  hipFree(in);
  hipFree(out);
}
