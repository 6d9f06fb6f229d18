// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A product of matrices without shared memory.
#include "program.hpp"

__global__ void multiply(const float* a, const float* b, float* c, int n) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n || column >= n) return;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}

int main() {
  const int n = 400;
  const std::vector<float> a = numbers<float>(n * n, 8), b = numbers<float>(n * n, 8, 2);
  std::vector<float> expected(n * n);
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < n; ++k) {
      for (int j = 0; j < n; ++j) expected[i * n + j] += a[i * n + k] * b[k * n + j];
    }
  }
  const device_array<float> on_a(a), on_b(b), c(n * n);
  multiply<<<dim3((n + 31) / 32, (n + 7) / 8), dim3(32, 8)>>>(on_a, on_b, c, n);
  return compare(c, expected);
}
