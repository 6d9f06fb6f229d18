// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many steps each point of a plane takes.
#include "program.hpp"

__host__ __device__ int steps_at(int x, int y, int n) {
  const float a = 3.0f * x / n - 2.0f, b = 2.0f * y / n - 1.0f;
  float u = 0, v = 0;
  int count = 0;
  while (count < 100 && u * u + v * v < 4.0f) {
    const float next = u * u - v * v + a;
    v = 2.0f * u * v + b;
    u = next;
    ++count;
  }
  return count;
}

__global__ void draw(int* steps, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  steps[y * n + x] = steps_at(x, y, n);
}

int main() {
  const int n = 1024;
  std::vector<int> expected(n * n);
  for (int i = 0; i < n * n; ++i) expected[i] = steps_at(i % n, i / n, n);
  const device_array<int> steps(n * n);
  draw<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(steps, n);
  return compare(steps, expected);
}
