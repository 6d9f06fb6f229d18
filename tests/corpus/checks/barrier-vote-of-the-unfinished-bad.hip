// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads without an element, among them half of a warp, return before a loop that ends when all threads vote for it.
// run: program
// warns: diverged_barrier
// lane: 0 0
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void halve_all(int* result, int* values, int n) {
  const int i = threadIdx.x;
  if (i >= n) return;
  int rounds = 0;
  for (int value = values[i]; !__syncthreads_and(value == 0); value /= 2) ++rounds;  // first
  if (i == 0) *result = rounds;
}

int main() {
  constexpr int n = 100, threads = 192;
  int* values = nullptr;
  int* result = nullptr;
  if (hipMalloc(&values, n * sizeof(int)) != hipSuccess || hipMalloc(&result, sizeof(int)) != hipSuccess) return 1;
  int host[n];
  for (int i = 0; i < n; ++i) host[i] = static_cast<int>(i % 7);
  if (hipMemcpy(values, host, sizeof host, hipMemcpyHostToDevice) != hipSuccess) return 1;
  halve_all<<<1, threads>>>(result, values, n);
  int told = 0;
  if (hipMemcpy(&told, result, sizeof told, hipMemcpyDeviceToHost) != hipSuccess) return 1;
  std::printf("%d\n", told);
  return hipFree(values) == hipSuccess && hipFree(result) == hipSuccess ? 0 : 1;
}
// no repair: what those that are done bring to the vote is for the author to say
