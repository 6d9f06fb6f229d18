// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The twin of race-sum-that-the-last-warp-uses-bad: a barrier stands before the total is overwritten.
// run: program
#include <hip/hip_runtime.h>

#include <cstdio>

__device__ __attribute__((noinline)) int raised(int reduction) { return reduction + 1; }

__device__ __attribute__((noinline)) int prefix(int reduction, int* last) {
  __syncthreads();
  if (threadIdx.x / warpSize == blockDim.x / warpSize - 1) {
    const int total = raised(reduction);
    __syncwarp();
    if (threadIdx.x == blockDim.x - 1) last[0] = total;
  }
  __syncthreads();
  return last[0];
}

__global__ void scan(int* out) {
  __shared__ int last[1];
  if (threadIdx.x == 0) last[0] = 41;
  __syncthreads();
  out[threadIdx.x] = prefix(last[0], last);
}

int main() {
  int *out, all[128];
  if (hipMalloc(&out, sizeof all) != hipSuccess) return 1;
  scan<<<1, 128>>>(out);
  if (hipMemcpy(all, out, sizeof all, hipMemcpyDeviceToHost) != hipSuccess || hipFree(out) != hipSuccess) return 1;
  std::printf("%d %d\n", all[0], all[127]);
  return all[127] != 42;
}
