// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The twin of race-all-zeros-in-shared-bad: the greatest one is found by an atomic.
// run: program
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void k(int* out, const int* in) {
  __shared__ int greatest;
  if (threadIdx.x == 0) greatest = 0;
  __syncthreads();
  atomicMax(&greatest, 2 * in[threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) out[0] = greatest;
}

int main() {
  constexpr int count = 64;
  int *in, *out, all[count], result[2] = {};
  for (int& each : all) each = 0;
  if (hipMalloc(&in, sizeof all) != hipSuccess || hipMalloc(&out, sizeof result) != hipSuccess) return 1;
  if (hipMemcpy(in, all, sizeof all, hipMemcpyHostToDevice) != hipSuccess) return 1;
  if (hipMemset(out, 0, sizeof result) != hipSuccess) return 1;
  k<<<1, count>>>(out, in);
  if (hipMemcpy(result, out, sizeof result, hipMemcpyDeviceToHost) != hipSuccess) return 1;
  std::printf("%d %d\n", result[0], result[1]);
  return hipFree(in) != hipSuccess || hipFree(out) != hipSuccess;
}
