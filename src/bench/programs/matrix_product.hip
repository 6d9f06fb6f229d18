// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A product of matrices by tiles in shared memory.
#include "program.hpp"

constexpr int tile = 16;

__global__ void multiply(const float* a, const float* b, float* c, int n) {
  __shared__ float part_a[tile][tile], part_b[tile][tile];
  const int row = blockIdx.y * tile + threadIdx.y, column = blockIdx.x * tile + threadIdx.x;
  float sum = 0;
  for (int first = 0; first < n; first += tile) {
    part_a[threadIdx.y][threadIdx.x] = a[row * n + first + threadIdx.x];
    part_b[threadIdx.y][threadIdx.x] = b[(first + threadIdx.y) * n + column];
    __syncthreads();
    for (int k = 0; k < tile; ++k) sum += part_a[threadIdx.y][k] * part_b[k][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

int main() {
  const int n = 512;
  const std::vector<float> a = numbers<float>(n * n, 8), b = numbers<float>(n * n, 8, 2);
  std::vector<float> expected(n * n);
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < n; ++k) {
      for (int j = 0; j < n; ++j) expected[i * n + j] += a[i * n + k] * b[k * n + j];
    }
  }
  const device_array<float> on_a(a), on_b(b), c(n * n);
  multiply<<<dim3(n / tile, n / tile), dim3(tile, tile)>>>(on_a, on_b, c, n);
  return compare(c, expected);
}
