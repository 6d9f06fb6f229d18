// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A block's running total goes to a function by value, and only the first warp uses it. Its lane 0 then overwrites the
// total, which the other warps may load before or after that: no order changes a result.
// run: program
// warns: data_race
// lane: 0 0
// other lane: 0 0
#include <hip/hip_runtime.h>

#include <cstdio>

__device__ __attribute__((noinline)) int raised(int reduction) { return reduction + 1; }

__device__ __attribute__((noinline)) int prefix(int reduction, int* last) {
  if (threadIdx.x / warpSize == 0) {
    const int total = raised(reduction);
    __syncwarp();
    if (threadIdx.x == 0) last[0] = total;  // second
  }
  __syncthreads();
  return last[0];
}

__global__ void scan(int* out) {
  __shared__ int last[1];
  if (threadIdx.x == 0) last[0] = 41;
  __syncthreads();
  out[threadIdx.x] = prefix(last[0], last);  // first
}

int main() {
  int *out, all[128];
  if (hipMalloc(&out, sizeof all) != hipSuccess) return 1;
  scan<<<1, 128>>>(out);
  if (hipMemcpy(all, out, sizeof all, hipMemcpyDeviceToHost) != hipSuccess || hipFree(out) != hipSuccess) return 1;
  std::printf("%d %d\n", all[0], all[127]);
  return all[127] != 42;
}
