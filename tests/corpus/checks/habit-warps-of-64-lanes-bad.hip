// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The greatest of a warp by exchanges that begin at half of 64: with 32 the first one has no other lane.
// run: program --warp-size 32
// warns: warp_size_assumption
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void greatest(int* out, const int* in) {
  int most = in[threadIdx.x % 32];
  for (int offset = 32; offset > 0; offset /= 2) {  // first
    const int other = __shfl_xor(most, offset);
    most = other > most ? other : most;
  }
  if (threadIdx.x % 64 == 0) out[threadIdx.x / 64] = most;
}

int main() {
  constexpr int count = 128;
  int *in, *out, all[count] = {};
  for (int i = 0; i < count; ++i) all[i] = i;
  hipMalloc(&in, sizeof all);
  hipMalloc(&out, sizeof all);
  hipMemcpy(in, all, sizeof all, hipMemcpyHostToDevice);
  hipMemset(out, 0, sizeof all);
  greatest<<<1, count>>>(out, in);
  hipMemcpy(all, out, sizeof all, hipMemcpyDeviceToHost);
  for (int i = 0; i < 2; ++i) std::printf("%d\n", all[i]);
  hipFree(in);
  hipFree(out);
}
