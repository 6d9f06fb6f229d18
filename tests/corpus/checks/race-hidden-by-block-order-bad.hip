// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every block reads a value, and one of them replaces it in the same place.
// modelled on: https://github.com/jrprice/Oclgrind/blob/master/tests/corpus/checks/data-race/intergroup_hidden_race.cl
// run: program
// finds: data_race
// lane: 0 0
// other lane: 0 0
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void read_and_replace(int* output, const int* value, int* next) {
  output[blockIdx.x] = *value;     // second
  if (blockIdx.x == 1) *next = 7;  // first
}

int main() {
  int *output, *values;
  hipMalloc(&output, 2 * sizeof(int));
  hipMalloc(&values, 2 * sizeof(int));
  hipMemset(values, 0, 2 * sizeof(int));
  read_and_replace<<<2, 1>>>(output, values, values);
  int read[2] = {};
  hipMemcpy(read, output, sizeof read, hipMemcpyDeviceToHost);
  std::printf("%d %d\n", read[0], read[1]);
  hipFree(values);
  hipFree(output);
  return 0;
}
