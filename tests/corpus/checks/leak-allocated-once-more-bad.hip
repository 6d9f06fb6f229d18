// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A pointer that already has a buffer gets another one, and what it had is lost.
// modelled on: https://github.com/GhiXu/ACMMP/pull/14
// run: program
// warns: leak
#include <hip/hip_runtime.h>

#include <cstdio>

struct buffers {
  float* costs = nullptr;
  float* coarse_costs = nullptr;
};

__global__ void refine(float* costs, const float* coarse_costs, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) costs[i] = coarse_costs[i / 2] + i;
}

void allocate(buffers& of, int n) {
  hipMalloc(&of.costs, n * sizeof(float));
  hipMalloc(&of.coarse_costs, n * sizeof(float));  // first
}

void take_coarse_costs(buffers& of, int n) {
  hipMalloc(&of.coarse_costs, n * sizeof(float));
  hipMemset(of.coarse_costs, 0, n * sizeof(float));
}

int main() {
  constexpr int n = 128;
  buffers mine;
  allocate(mine, n);
  take_coarse_costs(mine, n);
  refine<<<2, 64>>>(mine.costs, mine.coarse_costs, n);
  float last = 0;
  hipMemcpy(&last, mine.costs + n - 1, sizeof last, hipMemcpyDeviceToHost);
  std::printf("%.1f\n", last);
  hipFree(mine.costs);
  hipFree(mine.coarse_costs);
  return 0;
}
