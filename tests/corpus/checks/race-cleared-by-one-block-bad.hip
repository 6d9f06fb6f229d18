// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first block clears a flag that others may have set by then; its barrier does not hold them up.
// modelled on: https://github.com/NVIDIA/apex/pull/753
// run: program
// finds: data_race
// lane: 0 0
// other lane: 0 0
#include <hip/hip_runtime.h>

#include <cstdio>

/// Tells whether a block has a number that is not finite.
__global__ void look(int* overflow, const float* numbers) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0) *overflow = 0;  // second
  __syncthreads();
  if (!isfinite(numbers[i])) atomicOr(overflow, 1);  // first
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
