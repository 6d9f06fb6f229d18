// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table is freed where the last round begins, which still reads it.
// run: program
// finds: use_after_free
// lane: 0 0
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void add_tables(int* out, const int* table) { out[threadIdx.x] += table[threadIdx.x % 16]; }  // first

int main() {
  constexpr int count = 64;
  int *out, *table, all[count];
  if (hipMalloc(&out, sizeof all) != hipSuccess || hipMalloc(&table, 16 * sizeof(int)) != hipSuccess) return 1;
  if (hipMemset(out, 0, sizeof all) != hipSuccess || hipMemset(table, 1, 16 * sizeof(int)) != hipSuccess) return 1;
  for (int round = 0; round < 3; ++round) {
    if (round == 2 && hipFree(table) != hipSuccess) return 1;  // second
    add_tables<<<1, count>>>(out, table);
  }
  if (hipMemcpy(all, out, sizeof all, hipMemcpyDeviceToHost) != hipSuccess || hipFree(out) != hipSuccess) return 1;
  std::printf("%d\n", all[count - 1]);
}
