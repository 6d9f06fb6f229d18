// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The largest number, by shuffles and one atomic for each warp.
#include "program.hpp"

__global__ void maximum(const int* in, int* largest, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int value = i < size ? in[i] : 0;
  for (int offset = warpSize / 2; offset > 0; offset /= 2) value = max(value, __shfl_down(value, offset));
  if (threadIdx.x % warpSize == 0) atomicMax(largest, value);
}

int main() {
  const int size = (1 << 22) - 9;
  const std::vector<int> in = numbers<int>(size, 1 << 24);
  std::vector<int> expected(1);
  for (const int each : in) expected[0] = each > expected[0] ? each : expected[0];
  const device_array<int> on_in(in), largest(1);
  maximum<<<(size + 255) / 256, 256>>>(on_in, largest, size);
  return compare(largest, expected);
}
