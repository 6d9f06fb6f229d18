// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"
#include "warpz/sync.hpp"

/// Each block transposes a tile of 32 rows and 32 columns, by way of shared memory: rows are read from memory and rows
/// are written to it, and between the two a column of the tile is read.
__global__ void padded_transpose(float* output, const float* input, int size) {
  constexpr int side = 32, threads = 256;
  // One more in each row: a column's elements are then in 32 different banks.
  __shared__ float tile[side][side + 1];
  const int first = blockIdx.x * side * side;
  const int column = threadIdx.x % side, first_row = threadIdx.x / side;

  for (int row = first_row; row < side; row += threads / side) {
    const int from = first + row * side + column;
    tile[row][column] = from < size ? input[from] : 0.0f;
  }
  warpz::barrier();

  for (int row = first_row; row < side; row += threads / side) {
    const int to = first + row * side + column;
    if (to < size) output[to] = tile[column][row];
  }
}

WARPZ_KERNEL(padded_transpose);
