// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Half of the block's threads arrive, and the one that waits counts on all of them.
// modelled on: https://github.com/deepseek-ai/FlashMLA/pull/57
// run: program --timeout 0.3
// finds: no_progress
// lane: 0 0
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void lower_half(int* values, int* total) {
  __shared__ int arrived;
  if (threadIdx.x == 0) arrived = 0;
  __syncthreads();
  const int members = static_cast<int>(blockDim.x) / 2;
  if (static_cast<int>(threadIdx.x) >= members) return;
  values[threadIdx.x] = static_cast<int>(threadIdx.x);
  __threadfence();
  atomicAdd(&arrived, 1);
  if (threadIdx.x != 0) return;
  while (atomicAdd(&arrived, 0) < static_cast<int>(blockDim.x)) continue;  // first
  __threadfence();
  int sum = 0;
  for (int i = 0; i < members; ++i) sum += values[i];
  *total = sum;
}

int main() {
  constexpr int threads = 256;
  int sum, *values, *total;
  hipMalloc(&values, threads / 2 * sizeof(int));
  hipMalloc(&total, sizeof sum);
  lower_half<<<1, threads>>>(values, total);
  hipMemcpy(&sum, total, sizeof sum, hipMemcpyDeviceToHost);
  std::printf("sum %d\n", sum);
  hipFree(values);
  hipFree(total);
  return 0;
}
// no repair: how many are meant to take part is for the author to say
