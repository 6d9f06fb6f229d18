// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inclusive sums within blocks, in shared memory.
#include "program.hpp"

__global__ void scan(const int* in, int* out) {
  __shared__ int part[2][256];
  const int i = blockIdx.x * 256 + threadIdx.x;
  int from = 0;
  part[0][threadIdx.x] = in[i];
  __syncthreads();
  for (int step = 1; step < 256; step *= 2) {
    part[1 - from][threadIdx.x] = part[from][threadIdx.x] + (threadIdx.x >= step ? part[from][threadIdx.x - step] : 0);
    from = 1 - from;
    __syncthreads();
  }
  out[i] = part[from][threadIdx.x];
}

int main() {
  const int size = 1 << 20;
  const std::vector<int> in = numbers<int>(size, 1000);
  std::vector<int> expected(size);
  for (int i = 0; i < size; ++i) expected[i] = in[i] + (i % 256 != 0 ? expected[i - 1] : 0);
  const device_array<int> on_in(in), out(size);
  scan<<<size / 256, 256>>>(on_in, out);
  return compare(out, expected);
}
