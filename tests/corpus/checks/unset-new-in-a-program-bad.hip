// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lane adds to what it has got from new, in a whole program, where Clang has an operator new of its own.
// run: program
// finds: undefined_lane_value
// lane: 0 0
// other lane: 0 0
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void count(int* output) {
  int* const mine = new int;        // second
  output[threadIdx.x] = *mine + 1;  // first
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
