// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The twin of schedule-lanes-of-a-branch-bad: a vote before the branch names its lanes.
// run: program --warp-size 32
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void sums(int* out, const int* in) {
  const int lane = threadIdx.x % warpSize;
  const unsigned long long together = __ballot_sync(~0ull, lane < 16);
  if (lane < 16) {
    int sum = in[threadIdx.x];
    for (int d = 8; d > 0; d /= 2) {
      const int source = lane + d;
      const int other = __shfl_sync(together, sum, source);
      if (source < 16 && (together >> source & 1) != 0) sum += other;
    }
    if (lane == 0) out[threadIdx.x / warpSize] = sum;
  }
}

int main() {
  constexpr int count = 64;
  int *in, *out, all[count], result[2];
  for (int i = 0; i < count; ++i) all[i] = i;
  if (hipMalloc(&in, sizeof all) != hipSuccess || hipMalloc(&out, sizeof result) != hipSuccess) return 1;
  if (hipMemcpy(in, all, sizeof all, hipMemcpyHostToDevice) != hipSuccess) return 1;
  sums<<<1, count>>>(out, in);
  if (hipMemcpy(result, out, sizeof result, hipMemcpyDeviceToHost) != hipSuccess) return 1;
  std::printf("%d %d\n", result[0], result[1]);
  return hipFree(in) != hipSuccess || hipFree(out) != hipSuccess;
}
