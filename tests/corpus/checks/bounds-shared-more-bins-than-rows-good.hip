// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A histogram has a row in shared memory for each bin that the mask lets through.
// modelled on: https://github.com/ORNL/HeCBench/issues/83
// run: program
#include <hip/hip_runtime.h>

#include <cstdio>

constexpr int threads = 64;
constexpr int rows = 64;

__global__ void histogram(int* totals, const int* values, int size) {
  __shared__ int counts[rows * threads];
  for (int row = 0; row < rows; ++row) counts[row * threads + threadIdx.x] = 0;
  for (int i = threadIdx.x; i < size; i += threads) {
    const int bin = (values[i] >> 2) & 63;
    counts[bin * threads + threadIdx.x] += 1;
  }
  __syncthreads();
  if (threadIdx.x >= rows) return;
  int total = 0;
  for (int column = 0; column < threads; ++column) total += counts[threadIdx.x * threads + column];
  totals[threadIdx.x] = total;
}

int main() {
  constexpr int size = 2 * threads;
  int values[size];
  for (int i = 0; i < size; ++i) values[i] = i == 108 ? 130 : i % 100;
  int *totals, *on_device;
  hipMalloc(&totals, rows * sizeof(int));
  hipMalloc(&on_device, sizeof values);
  hipMemcpy(on_device, values, sizeof values, hipMemcpyHostToDevice);
  histogram<<<1, threads>>>(totals, on_device, size);
  int lowest = 0;
  hipMemcpy(&lowest, totals, sizeof lowest, hipMemcpyDeviceToHost);
  std::printf("%d of %d are in the lowest bin\n", lowest, size);
  hipFree(on_device);
  hipFree(totals);
  return 0;
}
