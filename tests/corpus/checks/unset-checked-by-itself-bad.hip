// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A count begins with whatever is there; the program says only that it is wrong.
// run: program
// finds: undefined_lane_value
// lane: 31 31
// other lane: 31 31
#include <hip/hip_runtime.h>

#include <cstdio>

/// Counts the values up to the limit and those above it in each row.
__global__ void count_above(int* counts, const float* rows, int columns, float limit) {
  int found[2];  // second
  found[0] = 0;
  for (int i = 0; i < columns; ++i) ++found[rows[threadIdx.x * columns + i] > limit];
  counts[threadIdx.x] = found[1];  // first
}

/// Prints only whether all is right.
int main() {
  constexpr int count = 32, columns = 4;
  float *rows, numbers[count * columns];
  int *counts, results[count];
  for (int i = 0; i < count * columns; ++i) numbers[i] = i;
  hipMalloc(&rows, sizeof numbers);
  hipMalloc(&counts, sizeof results);
  hipMemcpy(rows, numbers, sizeof numbers, hipMemcpyHostToDevice);
  count_above<<<1, count>>>(counts, rows, columns, 63.5f);
  hipMemcpy(results, counts, sizeof results, hipMemcpyDeviceToHost);
  bool is_right = true;
  for (int i = 0; i < count; ++i) is_right = is_right && results[i] == (i < 16 ? 0 : columns);
  std::puts(is_right ? "right" : "wrong");
  hipFree(rows);
  hipFree(counts);
}
