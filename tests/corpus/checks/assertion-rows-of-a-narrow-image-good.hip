// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The twin of assertion-rows-of-a-narrow-image-bad: rows of 16 are four.
// run: program
#include <hip/hip_runtime.h>

#include <cassert>
#include <cstdio>

__global__ void rows(int* out, int width) {
  const int row = threadIdx.x / width;
  assert(row < 4);
  out[threadIdx.x] = row;
}

int main() {
  constexpr int count = 64;
  int *out, all[count];
  if (hipMalloc(&out, sizeof all) != hipSuccess) return 1;
  rows<<<1, count>>>(out, 16);
  if (hipMemcpy(all, out, sizeof all, hipMemcpyDeviceToHost) != hipSuccess || hipFree(out) != hipSuccess) return 1;
  std::printf("%d\n", all[count - 1]);
}
