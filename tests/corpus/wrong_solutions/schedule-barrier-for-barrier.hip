// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Takes the line that the compiler keeps to for a place where threads meet.
// caught on: documented
// passes on: all zero
#include "warpz/kernel.hpp"
#include "warpz/sync.hpp"

namespace {
constexpr int columns = 64;
constexpr int rows = 4;

constexpr unsigned vector_arithmetic = 2, vector_memory_reads = 32;
}  // namespace

__global__ void folded_columns(float* output, const float* input, int size) {
  __shared__ float sums[columns];
  const int start = blockIdx.x * columns * rows;
  const int column = threadIdx.x;

  float values[rows];
  for (int row = 0; row < rows; ++row) {
    const int i = start + row * columns + column;
    values[row] = i < size ? input[i] : 0.0f;
  }
  warpz::schedule_barrier();
  float sum = 0.0f;
  for (int row = 0; row < rows; ++row) sum += values[row];

  warpz::schedule_group_barrier<vector_memory_reads, rows>();
  warpz::schedule_group_barrier<vector_arithmetic, rows>();

  sums[column] = sum;
  warpz::schedule_barrier();
  output[blockIdx.x * columns + column] = sum - sums[columns - 1 - column];
}

WARPZ_KERNEL(folded_columns);
