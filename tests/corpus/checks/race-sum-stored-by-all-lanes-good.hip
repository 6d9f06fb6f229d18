// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One lane stores the sum of its block.
// run: program
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void sum_of_squares(int* out) {
  __shared__ int sums[128];
  sums[threadIdx.x] = static_cast<int>(threadIdx.x * threadIdx.x);
  for (unsigned half = 64; half != 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
  }
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = sums[0];
}

int main() {
  int out = 0;
  int* sum = nullptr;
  if (hipMalloc(&sum, sizeof out)) return 1;
  sum_of_squares<<<1, 128>>>(sum);
  if (hipMemcpy(&out, sum, sizeof out, hipMemcpyDeviceToHost)) return 1;
  std::printf("%d\n", out);
  return hipFree(sum);
}
