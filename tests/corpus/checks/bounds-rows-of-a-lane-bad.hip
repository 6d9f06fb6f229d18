// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A small matrix of a lane is read by column and row for row and column, and its rows are shorter.
// run: --neighbor --size 64
// warns: out_of_bounds
// lane: 0 0
struct tile {
  float rows[4][2];
};

__global__ void kernel_under_test(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile own;
  for (int row = 0; row < 4; ++row) {
    for (int column = 0; column < 2; ++column) own.rows[row][column] = i + row < size ? input[i + row] : 0;
  }
  float sum = 0;
  for (int row = 0; row < 4; ++row) {
    for (int column = 0; column < 2; ++column) sum += own.rows[column][row];  // first
  }
  if (i < size) output[i] = sum;
}
