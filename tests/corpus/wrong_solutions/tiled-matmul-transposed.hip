// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads b's tile by rows: the product with the transposed tile.
// caught on: documented; --shape 33x17x50
// passes on: all zero
#include "warpz/kernel.hpp"
#include "warpz/sync.hpp"

namespace {
constexpr int tile = 16;
}

__global__ void tiled_matmul(float* c, const float* a, const float* b, int m, int n, int k) {
  __shared__ float tile_a[tile][tile];
  __shared__ float tile_b[tile][tile];
  const int local_row = threadIdx.y, local_column = threadIdx.x;
  const int row = blockIdx.y * tile + local_row;
  const int column = blockIdx.x * tile + local_column;

  float sum = 0.0f;
  for (int start = 0; start < k; start += tile) {
    const int a_column = start + local_column, b_row = start + local_row;
    tile_a[local_row][local_column] = row < m && a_column < k ? a[static_cast<size_t>(row) * k + a_column] : 0.0f;
    tile_b[local_row][local_column] = b_row < k && column < n ? b[static_cast<size_t>(b_row) * n + column] : 0.0f;
    warpz::barrier();
    for (int i = 0; i < tile; ++i) sum += tile_a[local_row][i] * tile_b[local_column][i];
    warpz::barrier();
  }

  if (row < m && column < n) c[static_cast<size_t>(row) * n + column] = sum;
}

WARPZ_KERNEL(tiled_matmul);
