// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each block stores its sum at the same place. That the sums are equal is an accident of this work.
// run: program
// finds: data_race
// lane: 0 0
// other lane: 0 0
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
  if (threadIdx.x == 0) out[0] = sums[0];  // first, second
}

int main() {
  int out = 0;
  int* sum = nullptr;
  if (hipMalloc(&sum, sizeof out)) return 1;
  sum_of_squares<<<2, 128>>>(sum);
  if (hipMemcpy(&out, sum, sizeof out, hipMemcpyDeviceToHost)) return 1;
  std::printf("%d\n", out);
  return hipFree(sum);
}
