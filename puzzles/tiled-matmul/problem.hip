// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"
#include "warpz/sync.hpp"

/// To do: each thread computes one element of the product c of a (m x k) and b (k x n), through tiles in shared memory.
__global__ void tiled_matmul(float* c, const float* a, const float* b, int m, int n, int k) {
  constexpr int tile = 16;
  [[maybe_unused]] __shared__ float tile_a[tile][tile];
  [[maybe_unused]] __shared__ float tile_b[tile][tile];
  const int local_row = threadIdx.y, local_column = threadIdx.x;
  const int row = blockIdx.y * tile + local_row;
  const int column = blockIdx.x * tile + local_column;

  float sum = 0.0f;
  for (int start = 0; start < k; start += tile) {
    const int a_column = start + local_column, b_row = start + local_row;
    tile_a[local_row][local_column] = row < m && a_column < k ? a[static_cast<size_t>(row) * k + a_column] : 0.0f;
    tile_b[local_row][local_column] = b_row < k && column < n ? b[static_cast<size_t>(b_row) * n + column] : 0.0f;

    // 1. The tiles are loaded by all threads. Who may read them, and when?

    // 2. Add to the sum what this row of tile_a and this column of tile_b give.

    // 3. The next round writes the tiles again. When may it?
  }

  if (row < m && column < n) c[static_cast<size_t>(row) * n + column] = sum;
}

WARPZ_KERNEL(tiled_matmul);
