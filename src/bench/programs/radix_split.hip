// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One step of a radix sort within blocks: ones behind zeros, bit by bit.
#include "program.hpp"

__global__ void sort(unsigned* data) {
  __shared__ unsigned part[256], counts[64];
  const int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize, warps = blockDim.x / warpSize;
  unsigned value = data[blockIdx.x * 256 + threadIdx.x];
  for (int bit = 0; bit < 16; ++bit) {
    const bool is_one = (value >> bit & 1) != 0;
    const unsigned long long zeros = __ballot(!is_one);
    if (lane == 0) counts[warp] = __popcll(zeros);
    __syncthreads();
    unsigned before = 0, total = 0;
    for (int k = 0; k < warps; ++k) {
      if (k < warp) before += counts[k];
      total += counts[k];
    }
    before += __popcll(zeros & ((1ull << lane) - 1));
    part[is_one ? total + threadIdx.x - before : before] = value;
    __syncthreads();
    value = part[threadIdx.x];
    __syncthreads();
  }
  data[blockIdx.x * 256 + threadIdx.x] = value;
}

int main() {
  const int size = 1 << 18;
  std::vector<unsigned> data = numbers<unsigned>(size, 1 << 16);
  const device_array<unsigned> on_data(data);
  sort<<<size / 256, 256>>>(on_data);
  for (int i = 0; i < size; i += 256) std::sort(data.begin() + i, data.begin() + i + 256);
  return compare(on_data, data);
}
