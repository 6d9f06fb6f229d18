// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"
#include "warpz/sync.hpp"

/// A block has four rows of 64 elements: the sum of each column, less the sum of the column's mirror image.
__global__ void folded_columns(float* output, const float* input, int size) {
  constexpr int columns = 64;
  constexpr int rows = 4;

  // LLVM's bits for kinds of instructions.
  constexpr unsigned vector_arithmetic = 2, vector_memory_reads = 32;
  __shared__ float sums[columns];
  const int start = blockIdx.x * columns * rows;
  const int column = threadIdx.x;

  // All four loads are begun before the first of them is waited for: nothing is moved across the line behind them.
  float values[rows];
  for (int row = 0; row < rows; ++row) {
    const int i = start + row * columns + column;
    values[row] = i < size ? input[i] : 0.0f;
  }
  warpz::schedule_barrier();
  float sum = 0.0f;
  for (int row = 0; row < rows; ++row) sum += values[row];

  // And this asks for an order: the loads first, then the additions.
  warpz::schedule_group_barrier<vector_memory_reads, rows>();
  warpz::schedule_group_barrier<vector_arithmetic, rows>();

  // A schedule barrier waits for nobody. That is another one's business.
  sums[column] = sum;
  warpz::barrier();
  output[blockIdx.x * columns + column] = sum - sums[columns - 1 - column];
}

WARPZ_KERNEL(folded_columns);
