// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lane 31 is taken for the last one; it has the same value as all but the first.
// modelled on: https://github.com/ORNL/HeCBench/issues/177
// run: program --warp-size both
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void pick(int* out, const int* in) {
  const int last = __shfl(in[threadIdx.x], warpSize - 1);
  out[threadIdx.x] = last + 1;
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
