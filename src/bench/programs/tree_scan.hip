// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Exclusive sums within blocks, up and down a tree.
#include "program.hpp"

__global__ void scan(const int* in, int* out) {
  __shared__ int part[512];
  const int at = threadIdx.x, first = blockIdx.x * 512;
  part[2 * at] = in[first + 2 * at];
  part[2 * at + 1] = in[first + 2 * at + 1];
  int offset = 1;
  for (int active = 256; active > 0; active /= 2) {
    __syncthreads();
    if (at < active) part[offset * (2 * at + 2) - 1] += part[offset * (2 * at + 1) - 1];
    offset *= 2;
  }
  if (at == 0) part[511] = 0;
  for (int active = 1; active < 512; active *= 2) {
    offset /= 2;
    __syncthreads();
    if (at < active) {
      const int low = offset * (2 * at + 1) - 1, high = offset * (2 * at + 2) - 1, kept = part[low];
      part[low] = part[high];
      part[high] += kept;
    }
  }
  __syncthreads();
  out[first + 2 * at] = part[2 * at];
  out[first + 2 * at + 1] = part[2 * at + 1];
}

int main() {
  const int size = 1 << 20;
  const std::vector<int> in = numbers<int>(size, 1000);
  std::vector<int> expected(size);
  for (int i = 0; i < size; ++i) expected[i] = i % 512 != 0 ? expected[i - 1] + in[i - 1] : 0;
  const device_array<int> on_in(in), out(size);
  scan<<<size / 512, 256>>>(on_in, out);
  return compare(out, expected);
}
