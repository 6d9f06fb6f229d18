// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two pairs of floats as one vector of 16 bytes, at a pair with an even number.
// modelled on: https://github.com/ggml-org/llama.cpp/pull/18799
// run: program
#include <hip/hip_runtime.h>

#include <cstdio>

/// Copies pairs of floats, two at once.
__global__ void copy(float2* to, const float2* from, int count) {
  const int i = 2 + 2 * threadIdx.x;
  if (i + 1 >= count) return;
  *reinterpret_cast<int4*>(to + i) = *reinterpret_cast<const int4*>(from + i);
}

int main() {
  constexpr int count = 128;
  float2 *from, *to, last;
  hipMalloc(&from, count * sizeof(float2));
  hipMalloc(&to, count * sizeof(float2));
  hipMemset(from, 0, count * sizeof(float2));
  hipMemset(to, 0, count * sizeof(float2));
  copy<<<1, 64>>>(to, from, count);
  hipMemcpy(&last, to + count - 1, sizeof last, hipMemcpyDeviceToHost);
  std::printf("%g\n", last.y);
  hipFree(from);
  hipFree(to);
}
