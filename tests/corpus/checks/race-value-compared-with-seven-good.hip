// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The twin of race-value-compared-with-seven-bad: a barrier stands before the comparison.
// run: program
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void sevens(int* out) {
  __shared__ int cell;
  if (threadIdx.x == 0) cell = 9;
  __syncthreads();
  if (threadIdx.x == 0) cell = 8;
  __syncthreads();
  out[threadIdx.x] = cell == 7 ? 1 : 0;
}

int main() {
  int *out, all[64];
  if (hipMalloc(&out, sizeof all) != hipSuccess) return 1;
  sevens<<<1, 64>>>(out);
  if (hipMemcpy(all, out, sizeof all, hipMemcpyDeviceToHost) != hipSuccess || hipFree(out) != hipSuccess) return 1;
  std::printf("%d\n", all[63]);
}
