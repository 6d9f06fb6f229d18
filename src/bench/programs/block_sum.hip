// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of blocks by halves in shared memory.
#include "program.hpp"

__global__ void sum(const float* in, float* sums) {
  __shared__ float part[256];
  part[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x];
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = part[0];
}

int main() {
  const int size = 1 << 21;
  const std::vector<float> in = numbers<float>(size, 1000);
  std::vector<float> expected(size / 256);
  for (int i = 0; i < size; ++i) expected[i / 256] += in[i];
  const device_array<float> on_in(in), sums(size / 256);
  sum<<<size / 256, 256>>>(on_in, sums);
  return compare(sums, expected);
}
