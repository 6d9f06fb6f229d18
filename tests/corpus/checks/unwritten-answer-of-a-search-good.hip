// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel writes its answer if it finds something. Before, the host clears it.
// run: program
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void search(int* answer, const int* numbers, int wanted) {
  if (numbers[threadIdx.x] == wanted) *answer = 1;
}

int main() {
  int *answer, *numbers, on_host[32], found;
  for (int i = 0; i < 32; ++i) on_host[i] = i;
  hipMalloc(&answer, sizeof found);
  hipMalloc(&numbers, sizeof on_host);
  hipMemset(answer, 0, sizeof found);
  hipMemcpy(numbers, on_host, sizeof on_host, hipMemcpyHostToDevice);
  search<<<1, 32>>>(answer, numbers, 100);
  hipMemcpy(&found, answer, sizeof found, hipMemcpyDeviceToHost);
  std::puts(found == 1 ? "it is there" : "it is not there");
  hipFree(answer);
  hipFree(numbers);
}
