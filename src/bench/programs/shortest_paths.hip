// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floyd's shortest paths between all pairs: a launch for each point.
#include "program.hpp"

__global__ void relax(int* lengths, int n, int k) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  const int through = lengths[y * n + k] + lengths[k * n + x];
  if (through < lengths[y * n + x]) lengths[y * n + x] = through;
}

int main() {
  const int n = 256;
  std::vector<int> lengths = numbers<int>(n * n, 1000);
  for (int i = 0; i < n; ++i) lengths[i * n + i] = 0;
  const device_array<int> on_lengths(lengths);
  for (int k = 0; k < n; ++k) {
    relax<<<dim3(1, n), n>>>(on_lengths, n, k);
    for (int i = 0; i < n * n; ++i) lengths[i] = std::min(lengths[i], lengths[i / n * n + k] + lengths[k * n + i % n]);
  }
  return compare(on_lengths, lengths);
}
