// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The thread that sets a counter to zero counts itself before the others do.
// modelled on: https://github.com/alicevision/popsift/pull/82
// run: program
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void count_positive(int* counts, const float* numbers) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  if (numbers[blockIdx.x * blockDim.x + threadIdx.x] > 0) atomicAdd(&count, 1);
  __syncthreads();
  if (threadIdx.x == 0) counts[blockIdx.x] = atomicAdd(&count, 0);
}

int main() {
  constexpr int threads = 64;
  float *numbers, ones[threads];
  int *counts, count = 0;
  for (float& each : ones) each = 1;
  hipMalloc(&numbers, sizeof ones);
  hipMalloc(&counts, sizeof count);
  hipMemcpy(numbers, ones, sizeof ones, hipMemcpyHostToDevice);
  count_positive<<<1, threads>>>(counts, numbers);
  hipMemcpy(&count, counts, sizeof count, hipMemcpyDeviceToHost);
  std::printf("%d\n", count);
  hipFree(numbers);
  hipFree(counts);
}
