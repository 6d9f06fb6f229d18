// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inclusive sums within blocks: by shuffles in warps, then of the warps' sums.
#include "program.hpp"

__device__ int scan_of_warp(int value, int lane) {
  for (int step = 1; step < warpSize; step *= 2) {
    const int below = __shfl_up(value, step);
    if (lane >= step) value += below;
  }
  return value;
}

__global__ void scan(const int* in, int* out) {
  __shared__ int sums[64];
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
  const int mine = scan_of_warp(in[i], lane);
  if (lane == warpSize - 1) sums[warp] = mine;
  __syncthreads();
  if (warp == 0) sums[lane] = scan_of_warp(lane < blockDim.x / warpSize ? sums[lane] : 0, lane);
  __syncthreads();
  out[i] = mine + (warp > 0 ? sums[warp - 1] : 0);
}

int main() {
  const int size = 1 << 21;
  const std::vector<int> in = numbers<int>(size, 1000);
  std::vector<int> expected(size);
  for (int i = 0; i < size; ++i) expected[i] = in[i] + (i % 256 != 0 ? expected[i - 1] : 0);
  const device_array<int> on_in(in), out(size);
  scan<<<size / 256, 256>>>(on_in, out);
  return compare(out, expected);
}
