// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A running total: the first lane reads it, all lanes get it, and the last one writes it again.
// run: program
#include <hip/hip_runtime.h>

__global__ void add_warp(int* total, const int* numbers, int* sums) {
  int sum = numbers[threadIdx.x];
  for (int offset = 1; offset < warpSize; offset *= 2) {
    const int before = __shfl_up(sum, offset);
    if (threadIdx.x >= static_cast<unsigned>(offset)) sum += before;
  }
  int before = threadIdx.x == 0 ? *total : 0;
  before = __shfl(before, 0);
  sums[threadIdx.x] = before + sum;
  __syncwarp();
  if (threadIdx.x == warpSize - 1) *total = before + sum;
}

int main() {
  int *total, *numbers, *sums;
  hipMallocManaged(&total, sizeof(int));
  hipMallocManaged(&numbers, 64 * sizeof(int));
  hipMalloc(&sums, 64 * sizeof(int));
  *total = 1;
  for (int i = 0; i < 64; ++i) numbers[i] = i;
  add_warp<<<1, warpSize>>>(total, numbers, sums);
  hipDeviceSynchronize();
  const int right = 1 + warpSize * (warpSize - 1) / 2;
  const bool is_right = *total == right;
  hipFree(total);
  hipFree(numbers);
  hipFree(sums);
  return is_right ? 0 : 1;
}
