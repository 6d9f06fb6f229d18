// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first warp returns before a vote of the block. AMD's device library lets that warp begin the vote.
// run: program
// warns: diverged_barrier
// lane: 0 0
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void find_five(int* result, const int* values, int n) {
  const int i = static_cast<int>(threadIdx.x) - warpSize;
  if (i < 0) return;                                            // these have another task
  const int found = __syncthreads_or(i < n && values[i] == 5);  // first
  if (i == 0) *result = found;
}

int main() {
  constexpr int n = 64, threads = 192;
  int* values = nullptr;
  int* result = nullptr;
  if (hipMalloc(&values, n * sizeof(int)) != hipSuccess || hipMalloc(&result, sizeof(int)) != hipSuccess) return 1;
  int host[n];
  for (int i = 0; i < n; ++i) host[i] = static_cast<int>(i % 7);
  if (hipMemcpy(values, host, sizeof host, hipMemcpyHostToDevice) != hipSuccess) return 1;
  find_five<<<1, threads>>>(result, values, n);
  int told = 0;
  if (hipMemcpy(&told, result, sizeof told, hipMemcpyDeviceToHost) != hipSuccess) return 1;
  std::printf("%d\n", told);
  return hipFree(values) == hipSuccess && hipFree(result) == hipSuccess ? 0 : 1;
}
// no repair: what the first warp brings to the vote is for the author to say
