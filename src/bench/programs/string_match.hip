// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a pattern occurs in a text, counted by ballots.
#include "program.hpp"

__constant__ char pattern[8];

__global__ void find(const char* text, int* counts, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  bool found = i + 4 <= size;
  for (int k = 0; k < 4 && found; ++k) found = text[i + k] == pattern[k];
  const unsigned long long all = __ballot(found);
  if (threadIdx.x % warpSize == 0) atomicAdd(counts, __popcll(all));
}

int main() {
  const int size = 1 << 22;
  std::vector<char> text = numbers<char>(size, 3);
  const char wanted[8] = {1, 2, 1, 0};
  if (hipMemcpyToSymbol(HIP_SYMBOL(pattern), wanted, sizeof wanted) != hipSuccess) return 1;
  std::vector<int> expected(1);
  for (int i = 0; i + 4 <= size; ++i) expected[0] += std::equal(wanted, wanted + 4, text.begin() + i);
  const device_array<char> on_text(text);
  const device_array<int> counts(1);
  find<<<size / 256, 256>>>(on_text, counts, size);
  return compare(counts, expected);
}
