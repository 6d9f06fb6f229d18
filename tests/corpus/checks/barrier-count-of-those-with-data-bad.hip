// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whole warps without an element return before the threads of the block are counted.
// run: program
// warns: diverged_barrier
// lane: 0 0
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void count_high(int* result, const float* values, int n) {
  const int i = threadIdx.x;
  if (i >= n) return;
  const int high = __syncthreads_count(values[i] > 3.0f);  // first
  if (i == 0) *result = high;
}

int main() {
  constexpr int n = 128, threads = 256;
  float* values = nullptr;
  int* result = nullptr;
  if (hipMalloc(&values, n * sizeof(float)) != hipSuccess || hipMalloc(&result, sizeof(int)) != hipSuccess) return 1;
  float host[n];
  for (int i = 0; i < n; ++i) host[i] = static_cast<float>(i % 7);
  if (hipMemcpy(values, host, sizeof host, hipMemcpyHostToDevice) != hipSuccess) return 1;
  count_high<<<1, threads>>>(result, values, n);
  int told = 0;
  if (hipMemcpy(&told, result, sizeof told, hipMemcpyDeviceToHost) != hipSuccess) return 1;
  std::printf("%d\n", told);
  return hipFree(values) == hipSuccess && hipFree(result) == hipSuccess ? 0 : 1;
}
// no repair: what the idle threads bring to the call is for the author to say
