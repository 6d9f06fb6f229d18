// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The twin of assertion-a-lane-for-the-result-bad: each warp has one.
// run: program
#include <hip/hip_runtime.h>

#include <cassert>
#include <cstdio>

__global__ void votes(int* out, int limit) {
  const unsigned long long above = __ballot(static_cast<int>(threadIdx.x) >= limit);
  assert(above != 0);
  out[threadIdx.x] = __popcll(above);
}

int main() {
  constexpr int count = 128;
  int *out, all[count];
  if (hipMalloc(&out, sizeof all) != hipSuccess) return 1;
  votes<<<1, count>>>(out, 0);
  if (hipMemcpy(all, out, sizeof all, hipMemcpyDeviceToHost) != hipSuccess || hipFree(out) != hipSuccess) return 1;
  std::printf("%d\n", all[count - 1]);
}
