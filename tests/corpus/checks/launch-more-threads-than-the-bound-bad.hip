// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A row has more columns than the kernel allows threads in a block.
// modelled on: https://github.com/ggml-org/llama.cpp/issues/10610
// run: program
// finds: invalid_launch
// lane: 0 0
#include <hip/hip_runtime.h>

#include <cstdio>

template <int columns>
__global__ void __launch_bounds__(columns / 2) normalize(float* rows) {  // first
  __shared__ float sum;
  float* const row = rows + blockIdx.x * columns;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, row[threadIdx.x]);
  __syncthreads();
  row[threadIdx.x] /= sum;
}

int main() {
  constexpr int columns = 512;
  float *rows, ones[columns];
  for (float& each : ones) each = 1;
  hipMalloc(&rows, sizeof ones);
  hipMemcpy(rows, ones, sizeof ones, hipMemcpyHostToDevice);
  normalize<columns><<<1, columns>>>(rows);
  hipMemcpy(ones, rows, sizeof ones, hipMemcpyDeviceToHost);
  std::printf("%g\n", ones[0] * columns);
  hipFree(rows);
}
