// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A double of two floats of an array that is declared as floats.
// run: program
// finds: misaligned
// lane: 1 1
#include <hip/hip_runtime.h>

#include <cstdio>

__device__ float values[130];

__global__ void scale(double factor) {
  const int i = threadIdx.x;
  values[i] = static_cast<float>(i);
  values[i + 64] = static_cast<float>(i);
  __syncthreads();
  if (i % 2 == 1) *reinterpret_cast<double*>(&values[i]) = factor;  // first
}

int main() {
  float host = 0;
  scale<<<1, 64>>>(0.5);
  hipMemcpyFromSymbol(&host, HIP_SYMBOL(values), sizeof host, 4);
  std::printf("%g\n", host);
}
