// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every block reads a value, and one of them writes the next one to another place.
// modelled on: https://github.com/jrprice/Oclgrind/blob/master/tests/corpus/checks/data-race/intergroup_hidden_race.cl
// run: program
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void read_and_replace(int* output, const int* value, int* next) {
  output[blockIdx.x] = *value;
  if (blockIdx.x == 1) *next = 7;
}

int main() {
  int *output, *values;
  hipMalloc(&output, 2 * sizeof(int));
  hipMalloc(&values, 2 * sizeof(int));
  hipMemset(values, 0, 2 * sizeof(int));
  read_and_replace<<<2, 1>>>(output, values, values + 1);
  int read[2] = {};
  hipMemcpy(read, output, sizeof read, hipMemcpyDeviceToHost);
  std::printf("%d %d\n", read[0], read[1]);
  hipFree(values);
  hipFree(output);
  return 0;
}
