// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel gets the host's address of a __device__ variable, which is another one.
// run: program
// finds: out_of_bounds
// lane: 0 0
#include <hip/hip_runtime.h>

#include <cstdio>

__device__ int total;

__global__ void count(int* sum) { atomicAdd(sum, threadIdx.x); }  // first

int main() {
  count<<<1, 32>>>(&total);
  int result = 0;
  hipMemcpyFromSymbol(&result, HIP_SYMBOL(total), sizeof result);
  std::printf("%d\n", result);
}
