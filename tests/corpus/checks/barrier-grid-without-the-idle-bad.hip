// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads without an element return before the grid meets.
// run: program
// warns: diverged_barrier
// lane: 0 0
#include <hip/hip_cooperative_groups.h>
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void sum_twice(int* result, int* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  values[i] *= 2;
  cooperative_groups::this_grid().sync();  // first
  if (i == 0) *result = values[0] + values[n - 1];
}

int main() {
  constexpr int n = 192, threads = 128;
  int* values = nullptr;
  int* result = nullptr;
  if (hipMalloc(&values, n * sizeof(int)) != hipSuccess || hipMalloc(&result, sizeof(int)) != hipSuccess) return 1;
  int host[n];
  for (int i = 0; i < n; ++i) host[i] = static_cast<int>(i % 7);
  if (hipMemcpy(values, host, sizeof host, hipMemcpyHostToDevice) != hipSuccess) return 1;
  int elements = n;
  void* arguments[] = {&result, &values, &elements};
  if (hipLaunchCooperativeKernel(sum_twice, 2, threads, arguments, 0, nullptr) != hipSuccess) return 1;
  int told = 0;
  if (hipMemcpy(&told, result, sizeof told, hipMemcpyDeviceToHost) != hipSuccess) return 1;
  std::printf("%d\n", told);
  return hipFree(values) == hipSuccess && hipFree(result) == hipSuccess ? 0 : 1;
}
// no repair: what the threads of the idle blocks do meanwhile is for the author to say
