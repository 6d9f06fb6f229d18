// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lane adds to what it has got from new, and which is 0.
// run: program
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void count(int* output) {
  int* const mine = new int(0);
  output[threadIdx.x] = *mine + 1;
  delete mine;
}

int main() {
  int *output, numbers[32];
  hipMalloc(&output, sizeof numbers);
  count<<<1, 32>>>(output);
  hipMemcpy(numbers, output, sizeof numbers, hipMemcpyDeviceToHost);
  std::printf("%d\n", numbers[0]);
  hipFree(output);
}
