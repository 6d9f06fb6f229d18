// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sum of two arrays.
#include "program.hpp"

__global__ void add(const float* a, const float* b, float* sum, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) sum[i] = a[i] + b[i];
}

int main() {
  const int size = (1 << 22) + 5;
  const std::vector<float> a = numbers<float>(size, 1000), b = numbers<float>(size, 1000, 2);
  std::vector<float> expected(size);
  for (int i = 0; i < size; ++i) expected[i] = a[i] + b[i];
  const device_array<float> on_a(a), on_b(b), sum(size);
  for (int repeat = 0; repeat < 4; ++repeat) add<<<(size + 255) / 256, 256>>>(on_a, on_b, sum, size);
  return compare(sum, expected);
}
