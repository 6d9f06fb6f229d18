// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where runs of equal numbers begin, and how many begin before each.
#include "program.hpp"

__global__ void mark(const int* in, int* numbers_of_runs) {
  __shared__ int sums[64];
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
  const bool begins = threadIdx.x == 0 || in[i] != in[i - 1];
  const unsigned long long all = __ballot(begins);
  if (lane == 0) sums[warp] = __popcll(all);
  __syncthreads();
  int before = 0;
  for (int k = 0; k < warp; ++k) before += sums[k];
  numbers_of_runs[i] = before + __popcll(all & (~0ull >> (63 - lane)));
}

int main() {
  const int size = 1 << 21;
  const std::vector<int> in = numbers<int>(size, 2);
  std::vector<int> expected(size);
  for (int i = 0; i < size; ++i) {
    expected[i] = i % 256 == 0 ? 1 : expected[i - 1] + (in[i] != in[i - 1] ? 1 : 0);
  }
  const device_array<int> on_in(in), runs(size);
  mark<<<size / 256, 256>>>(on_in, runs);
  return compare(runs, expected);
}
