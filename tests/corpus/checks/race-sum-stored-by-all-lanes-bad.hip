// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each lane stores the block's sum: the same value, whatever it is. No data of the host's has a part in it.
// run: program
// warns: data_race
// lane: 1 1
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
  out[blockIdx.x] = sums[0];  // first, second
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
