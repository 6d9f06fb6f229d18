// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first warp scans the sums of all warps, of which there are fewer than it has lanes. The last lanes take what
// nobody has written, and no result depends on it.
// run: program
// warns: uninitialised_read
// lane: 4 2
#include <hip/hip_runtime.h>

#include <cstdio>

__device__ int scanned(int value) {
  for (int distance = 1; distance < warpSize; distance *= 2) {
    const int before = __shfl_up(value, distance);
    if (threadIdx.x % warpSize >= distance) value += before;
  }
  return value;
}

__global__ void scan(int* output, const int* input) {
  __shared__ int sums[64];
  const int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
  int sum = scanned(input[threadIdx.x]);
  if (lane == warpSize - 1) sums[warp] = sum;
  __syncthreads();
  if (warp == 0) sums[lane] = scanned(sums[lane]);  // first
  __syncthreads();
  if (warp > 0) sum += sums[warp - 1];
  output[threadIdx.x] = sum;
}

int main() {
  constexpr int threads = 128;
  int numbers[threads], *input, *output;
  for (int i = 0; i < threads; ++i) numbers[i] = i + 1;
  if (hipMalloc(&input, sizeof numbers) != hipSuccess || hipMalloc(&output, sizeof numbers) != hipSuccess) return 1;
  if (hipMemcpy(input, numbers, sizeof numbers, hipMemcpyHostToDevice) != hipSuccess) return 1;
  scan<<<1, threads>>>(output, input);
  if (hipMemcpy(numbers, output, sizeof numbers, hipMemcpyDeviceToHost) != hipSuccess) return 1;
  std::printf("%d\n", numbers[threads - 1]);
  return hipFree(input) != hipSuccess || hipFree(output) != hipSuccess || numbers[threads - 1] != 8256 ? 1 : 0;
}
