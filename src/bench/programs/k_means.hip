// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The nearest of eight centers, which are in shared memory, and how many points each has.
#include "program.hpp"

__global__ void assign(const float2* points, const float2* centers, int* nearest, unsigned* counts) {
  __shared__ float2 all[8];
  __shared__ unsigned own[8];
  if (threadIdx.x < 8) {
    all[threadIdx.x] = centers[threadIdx.x];
    own[threadIdx.x] = 0;
  }
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float2 mine = points[i];
  float least = 1e30f;
  int chosen = 0;
  for (int k = 0; k < 8; ++k) {
    const float dx = mine.x - all[k].x, dy = mine.y - all[k].y, square = dx * dx + dy * dy;
    if (square < least) {
      least = square;
      chosen = k;
    }
  }
  nearest[i] = chosen;
  atomicAdd(&own[chosen], 1u);
  __syncthreads();
  if (threadIdx.x < 8) atomicAdd(&counts[threadIdx.x], own[threadIdx.x]);
}

int main() {
  const int size = 1 << 20;
  const std::vector<float> places = numbers<float>(2 * size, 1000);
  std::vector<float2> points(size), centers(8);
  for (int i = 0; i < size; ++i) points[i] = make_float2(places[2 * i], places[2 * i + 1]);
  for (int k = 0; k < 8; ++k) centers[k] = make_float2(k * 120 + 60, k * 511 % 1000);
  std::vector<int> expected(size);
  std::vector<unsigned> totals(8);
  for (int i = 0; i < size; ++i) {
    float least = 1e30f;
    for (int k = 0; k < 8; ++k) {
      const float dx = points[i].x - centers[k].x, dy = points[i].y - centers[k].y, square = dx * dx + dy * dy;
      if (square < least) least = square, expected[i] = k;
    }
    ++totals[expected[i]];
  }
  const device_array<float2> on_points(points), on_centers(centers);
  const device_array<int> nearest(size);
  const device_array<unsigned> counts(8);
  assign<<<size / 256, 256>>>(on_points, on_centers, nearest, counts);
  return finish(nearest.values() == expected && counts.values() == totals);
}
