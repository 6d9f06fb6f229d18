// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The twin of freed-twice-at-a-common-end-bad: the pointer is set to null where the table is freed.
// run: program
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void add_tables(int* out, const int* table) { out[threadIdx.x] += table[threadIdx.x % 16]; }

int main() {
  constexpr int count = 64;
  int *out, *table, all[count];
  if (hipMalloc(&out, sizeof all) != hipSuccess || hipMalloc(&table, 16 * sizeof(int)) != hipSuccess) return 1;
  if (hipMemset(out, 0, sizeof all) != hipSuccess || hipMemset(table, 1, 16 * sizeof(int)) != hipSuccess) return 1;
  add_tables<<<1, count>>>(out, table);
  if (hipDeviceSynchronize() != hipSuccess || hipFree(table) != hipSuccess) return 1;
  table = nullptr;
  if (hipFree(table) != hipSuccess) return 1;
  if (hipMemcpy(all, out, sizeof all, hipMemcpyDeviceToHost) != hipSuccess || hipFree(out) != hipSuccess) return 1;
  std::printf("%d\n", all[count - 1]);
}
