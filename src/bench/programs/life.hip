// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The game of life on a torus, by a tile with a border.
#include "program.hpp"

__global__ void step(const unsigned char* in, unsigned char* out, int n) {
  __shared__ unsigned char part[18][18];
  const int x0 = blockIdx.x * 16 - 1 + n, y0 = blockIdx.y * 16 - 1 + n;
  for (int i = threadIdx.y * 16 + threadIdx.x; i < 18 * 18; i += 256) {
    part[i / 18][i % 18] = in[(y0 + i / 18) % n * n + (x0 + i % 18) % n];
  }
  __syncthreads();
  const int x = threadIdx.x + 1, y = threadIdx.y + 1;
  int around = -part[y][x];
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx) around += part[y + dy][x + dx];
  }
  out[(blockIdx.y * 16 + threadIdx.y) * n + blockIdx.x * 16 + threadIdx.x] =
      around == 3 || (around == 2 && part[y][x] != 0);
}

int main() {
  const int n = 512;
  std::vector<unsigned char> from = numbers<unsigned char>(n * n, 2), to = from;
  const device_array<unsigned char> a(from), b(from);
  for (int repeat = 0; repeat < 4; ++repeat) {
    step<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(repeat % 2 == 0 ? a : b, repeat % 2 == 0 ? b : a, n);
    for (int i = 0; i < n * n; ++i) {
      int around = -from[i];
      for (int dy = n - 1; dy <= n + 1; ++dy) {
        for (int dx = n - 1; dx <= n + 1; ++dx) around += from[(i / n + dy) % n * n + (i % n + dx) % n];
      }
      to[i] = around == 3 || (around == 2 && from[i] != 0);
    }
    from.swap(to);
  }
  return compare(a, from);
}
