// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Four neighbors in a plane, several steps.
#include "program.hpp"

__global__ void step(const float* in, float* out, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1) return;
  const int i = y * n + x;
  out[i] = in[i - 1] + in[i + 1] + in[i - n] + in[i + n] - 3 * in[i];
}

int main() {
  const int n = 1024;
  std::vector<float> from = numbers<float>(n * n, 8), to = from;
  const device_array<float> a(from), b(from);
  for (int repeat = 0; repeat < 4; ++repeat) {
    step<<<dim3(n / 32, n / 8), dim3(32, 8)>>>(repeat % 2 == 0 ? a : b, repeat % 2 == 0 ? b : a, n);
    for (int i = n + 1; i < n * (n - 1) - 1; ++i) {
      if (i % n == 0 || i % n == n - 1) continue;
      to[i] = from[i - 1] + from[i + 1] + from[i - n] + from[i + n] - 3 * from[i];
    }
    from.swap(to);
  }
  return compare(a, from);
}
