// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A ballot is kept in 32 bits; only the first lane votes.
// modelled on: https://github.com/ORNL/HeCBench/issues/177
// run: program --warp-size both
// warns: warp_size_assumption
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void pick(int* out, const int* in) {
  const unsigned voters = __ballot(in[threadIdx.x] != 0);  // first
  out[threadIdx.x] = voters != 0;
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
