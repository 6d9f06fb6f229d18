// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Several lanes write a value that is 1 in this data. Lanes without a 1 write nothing.
// run: program
// finds: data_race
// lane: 1 1
// other lane: 0 0
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void find(const int* input, int* found) {
  const int i = threadIdx.x;
  if (input[i] >= 1) *found = input[i];  // first
}

int main() {
  int host[64], *input, *found;
  for (int& each : host) each = 1;
  hipMalloc(&input, sizeof host);
  hipMalloc(&found, sizeof(int));
  hipMemcpy(input, host, sizeof host, hipMemcpyHostToDevice);
  hipMemset(found, 0, sizeof(int));
  find<<<1, 64>>>(input, found);
  hipMemcpy(host, found, sizeof(int), hipMemcpyDeviceToHost);
  std::printf("%d\n", host[0]);
  hipFree(input);
  hipFree(found);
}
