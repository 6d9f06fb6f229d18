// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"
#include "warpz/sync.hpp"

/// To do: a block has four rows of 64 elements. The sum of each column, less the sum of the column's mirror image.
__global__ void folded_columns(float* output, const float* input, int size) {
  constexpr int columns = 64;
  constexpr int rows = 4;
  __shared__ float sums[columns];
  const int start = blockIdx.x * columns * rows;
  const int column = threadIdx.x;

  float values[rows];
  for (int row = 0; row < rows; ++row) {
    const int i = start + row * columns + column;
    values[row] = i < size ? input[i] : 0.0f;
  }

  // 1. Keep AMD's compiler from moving anything across this place. It changes no result, only when the loads begin.

  float sum = 0.0f;
  for (int row = 0; row < rows; ++row) sum += values[row];
  sums[column] = sum;

  // 2. This keeps the compiler from moving the reading before the writing. Is it enough, where another thread writes?
  warpz::schedule_barrier();
  output[blockIdx.x * columns + column] = sum - sums[columns - 1 - column];
}

WARPZ_KERNEL(folded_columns);
