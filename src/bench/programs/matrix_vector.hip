// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A matrix times a vector: a warp for each row.
#include "program.hpp"

__global__ void multiply(const float* matrix, const float* vector, float* product, int rows, int columns) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / warpSize, lane = threadIdx.x % warpSize;
  if (row >= rows) return;
  float sum = 0;
  for (int i = lane; i < columns; i += warpSize) sum += matrix[row * columns + i] * vector[i];
  for (int offset = warpSize / 2; offset > 0; offset /= 2) sum += __shfl_down(sum, offset);
  if (lane == 0) product[row] = sum;
}

int main() {
  const int rows = 16384, columns = 256;
  const std::vector<float> matrix = numbers<float>(rows * columns, 8), vector = numbers<float>(columns, 8, 2);
  std::vector<float> expected(rows);
  for (int i = 0; i < rows * columns; ++i) expected[i / columns] += matrix[i] * vector[i % columns];
  const device_array<float> on_matrix(matrix), on_vector(vector), product(rows);
  multiply<<<rows * 64 / 256, 256>>>(on_matrix, on_vector, product, rows, columns);
  return compare(product, expected);
}
