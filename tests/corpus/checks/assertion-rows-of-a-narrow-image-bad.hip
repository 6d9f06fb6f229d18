// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel asserts that no more than four rows come, and the launch has rows of 12.
// run: program
// finds: assertion
// lane: 16 48
#include <hip/hip_runtime.h>

#include <cassert>
#include <cstdio>

__global__ void rows(int* out, int width) {
  const int row = threadIdx.x / width;
  assert(row < 4);  // first
  out[threadIdx.x] = row;
}

int main() {
  constexpr int count = 64;
  int *out, all[count];
  if (hipMalloc(&out, sizeof all) != hipSuccess) return 1;
  rows<<<1, count>>>(out, 12);
  if (hipMemcpy(all, out, sizeof all, hipMemcpyDeviceToHost) != hipSuccess || hipFree(out) != hipSuccess) return 1;
  std::printf("%d\n", all[count - 1]);
}
