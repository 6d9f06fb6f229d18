// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The flag that all blocks may set is cleared by the host.
// modelled on: https://github.com/NVIDIA/apex/pull/753
// run: program
#include <hip/hip_runtime.h>

#include <cstdio>

/// Tells whether a block has a number that is not finite.
__global__ void look(int* overflow, const float* numbers) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (!isfinite(numbers[i])) atomicOr(overflow, 1);
}

int main() {
  constexpr int threads = 64, blocks = 4;
  float *numbers, all[threads * blocks];
  int *overflow, seen = 0;
  for (float& each : all) each = 1.0f / 0.0f;
  hipMalloc(&numbers, sizeof all);
  hipMalloc(&overflow, sizeof seen);
  hipMemset(overflow, 0, sizeof seen);
  hipMemcpy(numbers, all, sizeof all, hipMemcpyHostToDevice);
  look<<<blocks, threads>>>(overflow, numbers);
  hipMemcpy(&seen, overflow, sizeof seen, hipMemcpyDeviceToHost);
  std::printf("%d\n", seen);
  hipFree(numbers);
  hipFree(overflow);
}
