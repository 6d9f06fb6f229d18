// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sparse matrix of rows of different lengths times a vector.
#include "program.hpp"

__global__ void multiply(const int* begins, const int* columns, const float* values, const float* vector,
                         float* product, int rows) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int k = begins[row]; k < begins[row + 1]; ++k) sum += values[k] * vector[columns[k]];
  product[row] = sum;
}

int main() {
  const int rows = 1 << 17;
  const std::vector<int> lengths = numbers<int>(rows, 32);
  std::vector<int> begins(rows + 1);
  for (int i = 0; i < rows; ++i) begins[i + 1] = begins[i] + lengths[i];
  const std::vector<int> columns = numbers<int>(begins[rows], rows, 2);
  const std::vector<float> values = numbers<float>(begins[rows], 8, 3), vector = numbers<float>(rows, 8, 4);
  std::vector<float> expected(rows);
  for (int row = 0; row < rows; ++row) {
    for (int k = begins[row]; k < begins[row + 1]; ++k) expected[row] += values[k] * vector[columns[k]];
  }
  const device_array<int> on_begins(begins), on_columns(columns);
  const device_array<float> on_values(values), on_vector(vector), product(rows);
  multiply<<<rows / 256, 256>>>(on_begins, on_columns, on_values, on_vector, product, rows);
  return compare(product, expected);
}
