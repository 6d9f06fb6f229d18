// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"
#include "warpz/sync.hpp"

/// Each thread computes one element of the product c of a (m x k) and b (k x n); all three are row by row in memory.
/// The block's threads load a tile of a and one of b into shared memory, wait, multiply them, wait, and go on to the
/// next two tiles.
__global__ void tiled_matmul(float* c, const float* a, const float* b, int m, int n, int k) {
  constexpr int tile = 16;
  __shared__ float tile_a[tile][tile];
  __shared__ float tile_b[tile][tile];
  const int local_row = threadIdx.y, local_column = threadIdx.x;
  const int row = blockIdx.y * tile + local_row;
  const int column = blockIdx.x * tile + local_column;

  float sum = 0.0f;
  for (int start = 0; start < k; start += tile) {
    // What lies past a matrix's end adds nothing; its thread loads a 0 rather than leaving early.
    const int a_column = start + local_column, b_row = start + local_row;
    tile_a[local_row][local_column] = row < m && a_column < k ? a[static_cast<size_t>(row) * k + a_column] : 0.0f;
    tile_b[local_row][local_column] = b_row < k && column < n ? b[static_cast<size_t>(b_row) * n + column] : 0.0f;

    // Nobody reads before everybody has written.
    warpz::barrier();
    // Compilers may fuse a product with its addition or not; said as fmaf it is the same everywhere.
    for (int i = 0; i < tile; ++i) sum = fmaf(tile_a[local_row][i], tile_b[i][local_column], sum);

    // Nobody writes the next tiles before everybody has read these.
    warpz::barrier();
  }

  if (row < m && column < n) c[static_cast<size_t>(row) * n + column] = sum;
}

WARPZ_KERNEL(tiled_matmul);
