// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Between two lines of one branch a barrier is missing.
// run: program
// finds: data_race
// lane: 1 1
// other lane: 0 0
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void rotate(int* values, int rounds) {
  __shared__ int shared[128];
  const int thread = threadIdx.x;
  shared[thread] = values[thread];  // first
  if (rounds > 0) {
    shared[thread] += 1;
    values[thread] = shared[(thread + 1) % 128];  // second
  }
}

int main() {
  int host[128] = {};
  int* values;
  hipMalloc(&values, sizeof host);
  hipMemcpy(values, host, sizeof host, hipMemcpyHostToDevice);
  rotate<<<1, 128>>>(values, 3);
  hipMemcpy(host, values, sizeof host, hipMemcpyDeviceToHost);
  std::printf("%d\n", host[0]);
  hipFree(values);
}
