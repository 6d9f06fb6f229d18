// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All lanes compare with 7 what one of them overwrites: 9 before and 8 behind that. So the result is always the same,
// but depends on the value.
// run: program
// finds: data_race
// lane: 1 1
// other lane: 0 0
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void sevens(int* out) {
  __shared__ int cell;
  if (threadIdx.x == 0) cell = 9;
  __syncthreads();
  if (threadIdx.x == 0) cell = 8;        // second
  out[threadIdx.x] = cell == 7 ? 1 : 0;  // first
}

int main() {
  int *out, all[64];
  if (hipMalloc(&out, sizeof all) != hipSuccess) return 1;
  sevens<<<1, 64>>>(out);
  if (hipMemcpy(all, out, sizeof all, hipMemcpyDeviceToHost) != hipSuccess || hipFree(out) != hipSuccess) return 1;
  std::printf("%d\n", all[63]);
}
