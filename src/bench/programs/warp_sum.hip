// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of blocks by shuffles, then of their warps' sums.
#include "program.hpp"

__device__ float sum_of_warp(float value) {
  for (int offset = warpSize / 2; offset > 0; offset /= 2) value += __shfl_xor(value, offset);
  return value;
}

__global__ void sum(const float* in, float* sums) {
  __shared__ float parts[64];
  const int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
  const float mine = sum_of_warp(in[blockIdx.x * blockDim.x + threadIdx.x]);
  if (lane == 0) parts[warp] = mine;
  __syncthreads();
  if (warp == 0) {
    const float all = sum_of_warp(lane < blockDim.x / warpSize ? parts[lane] : 0);
    if (lane == 0) sums[blockIdx.x] = all;
  }
}

int main() {
  const int size = 1 << 22;
  const std::vector<float> in = numbers<float>(size, 1000);
  std::vector<float> expected(size / 512);
  for (int i = 0; i < size; ++i) expected[i / 512] += in[i];
  const device_array<float> on_in(in), sums(size / 512);
  sum<<<size / 512, 512>>>(on_in, sums);
  return compare(sums, expected);
}
