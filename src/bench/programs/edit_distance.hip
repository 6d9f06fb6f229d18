// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Distances between pairs of words: a warp goes along the diagonals of each table.
#include "program.hpp"

__global__ void distances(const char* words, int* found) {
  const int pair = (blockIdx.x * blockDim.x + threadIdx.x) / warpSize, lane = threadIdx.x % warpSize;
  const char* const first = words + pair * 64;
  const char* const second = first + 32;
  // Lane k has column k + 1 of the table, on the last two diagonals.
  int last = lane + 1, before = lane;
  for (int step = 0; step < 63; ++step) {
    int left = __shfl_up(last, 1), corner = __shfl_up(before, 1);
    const int row = step - lane;
    if (lane == 0) {
      left = row + 1;
      corner = row;
    }
    if (row >= 0 && row < 32 && lane < 32) {
      const int here = min(min(last, left) + 1, corner + (first[row] != second[lane] ? 1 : 0));
      before = last;
      last = here;
    }
  }
  if (lane == 31) found[pair] = last;
}

int main() {
  const int pairs = 2048;
  const std::vector<char> words = numbers<char>(64 * pairs, 3);
  std::vector<int> expected(pairs);
  for (int pair = 0; pair < pairs; ++pair) {
    int row[33];
    for (int k = 0; k <= 32; ++k) row[k] = k;
    for (int i = 1; i <= 32; ++i) {
      int corner = row[0];
      row[0] = i;
      for (int k = 1; k <= 32; ++k) {
        const bool differs = words[pair * 64 + i - 1] != words[pair * 64 + 32 + k - 1];
        const int here = std::min(std::min(row[k], row[k - 1]) + 1, corner + (differs ? 1 : 0));
        corner = row[k];
        row[k] = here;
      }
    }
    expected[pair] = row[32];
  }
  int lanes = 0;
  if (hipDeviceGetAttribute(&lanes, hipDeviceAttributeWarpSize, 0) != hipSuccess) return 1;
  const device_array<char> on_words(words);
  const device_array<int> found(pairs);
  distances<<<pairs * lanes / 256, 256>>>(on_words, found);
  return compare(found, expected);
}
