// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps whole numbers, as the documented ones are.
// caught on: falling halves
// passes on: documented
#include "warpz/kernel.hpp"
#include "warpz/sync.hpp"

__global__ void padded_transpose(float* output, const float* input, int size) {
  constexpr int side = 32, threads = 256;
  __shared__ int tile[side][side + 1];
  const int first = blockIdx.x * side * side;
  const int column = threadIdx.x % side, first_row = threadIdx.x / side;

  for (int row = first_row; row < side; row += threads / side) {
    const int from = first + row * side + column;
    tile[row][column] = from < size ? static_cast<int>(input[from]) : 0;
  }
  warpz::barrier();

  for (int row = first_row; row < side; row += threads / side) {
    const int to = first + row * side + column;
    if (to < size) output[to] = static_cast<float>(tile[column][row]);
  }
}

WARPZ_KERNEL(padded_transpose);
