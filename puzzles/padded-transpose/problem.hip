// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"
#include "warpz/sync.hpp"

/// To do: each block transposes its tile of 32 rows and 32 columns. What is past the array's end counts as 0.
__global__ void padded_transpose(float* output, const float* input, int size) {
  constexpr int side = 32, threads = 256;
  // 1. A tile in shared memory. How long is a row, so that 32 elements of a column are in 32 banks?

  const int first = blockIdx.x * side * side;
  const int column = threadIdx.x % side, first_row = threadIdx.x / side;

  for (int row = first_row; row < side; row += threads / side) {
    const int from = first + row * side + column;
    // 2. Store the element to the tile, wait for the others, and take what belongs here from its column.
    if (from < size) output[from] = input[from];
  }
}

WARPZ_KERNEL(padded_transpose);
