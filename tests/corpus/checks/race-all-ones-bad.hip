// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each thread writes its element to one cell. All elements are 1, so all write the same, by accident.
// run: program
// finds: data_race
// lane: 1 1
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void k(int* out, const int* in) {
  out[0] = in[threadIdx.x];  // first
}

int main() {
  constexpr int count = 64;
  int *in, *out, all[count], result[2] = {};
  for (int& each : all) each = 1;
  if (hipMalloc(&in, sizeof all) != hipSuccess || hipMalloc(&out, sizeof result) != hipSuccess) return 1;
  if (hipMemcpy(in, all, sizeof all, hipMemcpyHostToDevice) != hipSuccess) return 1;
  if (hipMemset(out, 0, sizeof result) != hipSuccess) return 1;
  k<<<1, count>>>(out, in);
  if (hipMemcpy(result, out, sizeof result, hipMemcpyDeviceToHost) != hipSuccess) return 1;
  std::printf("%d %d\n", result[0], result[1]);
  return hipFree(in) != hipSuccess || hipFree(out) != hipSuccess;
}
