// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lane asks for its own vote in 64 bits; only the first lane votes.
// modelled on: https://github.com/ORNL/HeCBench/issues/177
// run: program --warp-size both
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void pick(int* out, const int* in) {
  const int lane = threadIdx.x % warpSize;
  const unsigned long long votes = __ballot(in[threadIdx.x] != 0);
  out[threadIdx.x] = lane == 0 && (votes & (1ull << lane)) != 0;
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
