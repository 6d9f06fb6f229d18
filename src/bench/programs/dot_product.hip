// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A dot product: each thread several elements, then warps, then atomics.
#include "program.hpp"

__global__ void dot(const double* a, const double* b, double* sum, int size) {
  double mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += blockDim.x * gridDim.x) mine += a[i] * b[i];
  for (int offset = warpSize / 2; offset > 0; offset /= 2) mine += __shfl_down(mine, offset);
  if (threadIdx.x % warpSize == 0) atomicAdd(sum, mine);
}

int main() {
  const int size = 1 << 22;
  const std::vector<double> a = numbers<double>(size, 100), b = numbers<double>(size, 100, 2);
  std::vector<double> expected(1);
  for (int i = 0; i < size; ++i) expected[0] += a[i] * b[i];
  const device_array<double> on_a(a), on_b(b), sum(1);
  dot<<<1024, 256>>>(on_a, on_b, sum, size);
  return compare(sum, expected);
}
