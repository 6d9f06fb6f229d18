// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A warp goes along a row in steps of 32, so that 64 lanes come to most elements twice.
// modelled on: https://github.com/ORNL/HeCBench/issues/167
// run: program --warp-size both
// finds: warp_size_dependence
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void row_sums(const int* values, int* sums, int columns) {
  int sum = 0;
  for (int i = threadIdx.x; i < columns; i += 32) sum += values[blockIdx.x * columns + i];  // first
  for (int offset = warpSize / 2; offset > 0; offset /= 2) sum += __shfl_xor(sum, offset);
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

int main() {
  constexpr int rows = 2, columns = 100;
  int host[rows * columns], sums[rows];
  for (int i = 0; i < rows * columns; ++i) host[i] = i;
  int *values, *device_sums;
  hipMalloc(&values, sizeof host);
  hipMalloc(&device_sums, sizeof sums);
  hipMemcpy(values, host, sizeof host, hipMemcpyHostToDevice);
  hipDeviceProp_t device;
  hipGetDeviceProperties(&device, 0);
  row_sums<<<rows, device.warpSize>>>(values, device_sums, columns);
  hipMemcpy(sums, device_sums, sizeof sums, hipMemcpyDeviceToHost);
  for (int row = 0; row < rows; ++row) std::printf("row %d: %d\n", row, sums[row]);
  hipFree(values);
  hipFree(device_sums);
  return 0;
}
