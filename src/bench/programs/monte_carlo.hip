// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pi by random points: each thread makes its own, sums by shared memory.
#include "program.hpp"

__host__ __device__ unsigned hits(unsigned seed, int points) {
  unsigned inside = 0;
  for (int k = 0; k < points; ++k) {
    seed = seed * 1664525 + 1013904223;
    const float x = (seed >> 8) * (1.0f / 16777216);
    seed = seed * 1664525 + 1013904223;
    const float y = (seed >> 8) * (1.0f / 16777216);
    if (x * x + y * y < 1) ++inside;
  }
  return inside;
}

__global__ void throw_points(unsigned* counts, int points) {
  __shared__ unsigned part[256];
  part[threadIdx.x] = hits(blockIdx.x * 256 + threadIdx.x, points);
  for (int half = 128; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
  }
  if (threadIdx.x == 0) counts[blockIdx.x] = part[0];
}

int main() {
  const int blocks = 512, points = 100;
  std::vector<unsigned> expected(blocks);
  for (int i = 0; i < blocks * 256; ++i) expected[i / 256] += hits(i, points);
  const device_array<unsigned> counts(blocks);
  throw_points<<<blocks, 256>>>(counts, points);
  return compare(counts, expected);
}
