// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The last elements, too few for a group, are zeros.
// modelled on: https://github.com/rigaya/NVEnc/issues/763
// run: program
#include <hip/hip_runtime.h>

#include <cstdio>

/// Fills whole groups of eight.
__global__ void fill(float* out, int count) {
  const int begin = threadIdx.x * 8;
  if (begin + 8 > count) return;
  for (int i = 0; i < 8; ++i) out[begin + i] = 1;
}

int main() {
  constexpr int count = 100;
  float *out, numbers[count], sum = 0;
  hipMalloc(&out, sizeof numbers);
  hipMemset(out, 0, sizeof numbers);
  fill<<<1, 64>>>(out, count);
  hipMemcpy(numbers, out, sizeof numbers, hipMemcpyDeviceToHost);
  for (const float each : numbers) sum += each;
  std::printf("%g\n", sum);
  hipFree(out);
}
