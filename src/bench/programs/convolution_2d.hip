// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A filter of 5 by 5 whose weights are constant memory.
#include "program.hpp"

__constant__ float weights[25];

__global__ void filter(const float* in, float* out, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  for (int dy = -2; dy <= 2; ++dy) {
    for (int dx = -2; dx <= 2; ++dx) {
      const int at_x = min(max(x + dx, 0), n - 1), at_y = min(max(y + dy, 0), n - 1);
      sum += weights[(dy + 2) * 5 + dx + 2] * in[at_y * n + at_x];
    }
  }
  out[y * n + x] = sum;
}

int main() {
  const int n = 512;
  const std::vector<float> in = numbers<float>(n * n, 100), factors = numbers<float>(25, 8, 2);
  if (hipMemcpyToSymbol(HIP_SYMBOL(weights), factors.data(), sizeof weights) != hipSuccess) return 1;
  std::vector<float> expected(n * n);
  for (int i = 0; i < n * n; ++i) {
    for (int k = 0; k < 25; ++k) {
      const int x = std::min(std::max(i % n + k % 5 - 2, 0), n - 1),
                y = std::min(std::max(i / n + k / 5 - 2, 0), n - 1);
      expected[i] += factors[k] * in[y * n + x];
    }
  }
  const device_array<float> on_in(in), out(n * n);
  filter<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(on_in, out, n);
  return compare(out, expected);
}
