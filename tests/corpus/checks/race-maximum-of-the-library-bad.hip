// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lane reads its neighbor's element as an argument of std::max, without a barrier.
// run: program
// finds: data_race
// lane: 1 1
// other lane: 0 0
#include <hip/hip_runtime.h>

#include <algorithm>
#include <cstdio>

__global__ void maxima(int* output) {
  __shared__ int tile[64];
  tile[threadIdx.x] = threadIdx.x * 7 % 5;                                   // first
  output[threadIdx.x] = std::max(tile[threadIdx.x], tile[threadIdx.x ^ 1]);  // second
}

int main() {
  int *output, numbers[64];
  hipMalloc(&output, sizeof numbers);
  maxima<<<1, 64>>>(output);
  hipMemcpy(numbers, output, sizeof numbers, hipMemcpyDeviceToHost);
  std::printf("%d\n", numbers[1]);
  hipFree(output);
}
