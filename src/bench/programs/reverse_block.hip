// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks are reversed through shared memory.
#include "program.hpp"

__global__ void reverse(int* data) {
  extern __shared__ int part[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  part[threadIdx.x] = data[i];
  __syncthreads();
  data[i] = part[blockDim.x - 1 - threadIdx.x];
}

int main() {
  const int size = 1 << 22;
  const std::vector<int> data = numbers<int>(size, 1 << 24);
  std::vector<int> expected(size);
  for (int i = 0; i < size; ++i) expected[i] = data[i / 128 * 128 + 127 - i % 128];
  const device_array<int> on_data(data);
  reverse<<<size / 128, 128, 128 * sizeof(int)>>>(on_data);
  return compare(on_data, expected);
}
