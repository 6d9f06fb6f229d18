// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How often each byte occurs, counted in shared memory first.
#include "program.hpp"

__global__ void count(const unsigned char* in, unsigned* counts, int size) {
  __shared__ unsigned own[256];
  own[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += blockDim.x * gridDim.x) atomicAdd(&own[in[i]], 1u);
  __syncthreads();
  atomicAdd(&counts[threadIdx.x], own[threadIdx.x]);
}

int main() {
  const int size = 1 << 21;
  const std::vector<unsigned char> in = numbers<unsigned char>(size, 256);
  std::vector<unsigned> expected(256);
  for (const unsigned char each : in) ++expected[each];
  const device_array<unsigned char> on_in(in);
  const device_array<unsigned> counts(256);
  count<<<128, 256>>>(on_in, counts, size);
  return compare(counts, expected);
}
