// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The branch is left for a barrier.
// run: program
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void rotate(int* values, int rounds) {
  __shared__ int shared[128];
  const int thread = threadIdx.x;
  shared[thread] = values[thread];
  if (rounds > 0) {
    shared[thread] += 1;
  }
  __syncthreads();
  if (rounds > 0) {
    values[thread] = shared[(thread + 1) % 128];
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
