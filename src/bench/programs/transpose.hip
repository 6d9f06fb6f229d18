// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A matrix is transposed through a padded tile.
#include "program.hpp"

constexpr int tile = 32;

__global__ void transpose(const float* in, float* out, int n) {
  __shared__ float part[tile][tile + 1];
  int x = blockIdx.x * tile + threadIdx.x, y = blockIdx.y * tile + threadIdx.y;
  for (int j = 0; j < tile; j += 8) part[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
  __syncthreads();
  x = blockIdx.y * tile + threadIdx.x;
  y = blockIdx.x * tile + threadIdx.y;
  for (int j = 0; j < tile; j += 8) out[(y + j) * n + x] = part[threadIdx.x][threadIdx.y + j];
}

int main() {
  const int n = 2048;
  const std::vector<float> in = numbers<float>(n * n, 1000);
  std::vector<float> expected(n * n);
  for (int i = 0; i < n * n; ++i) expected[i % n * n + i / n] = in[i];
  const device_array<float> on_in(in), out(n * n);
  transpose<<<dim3(n / tile, n / tile), dim3(tile, 8)>>>(on_in, out, n);
  return compare(out, expected);
}
