// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared memory for each warp of 32: with 64 lanes it is more than is needed, and tells that the host is wrong.
// run: program --warp-size 64
// warns: warp_size_assumption
#include <hip/hip_runtime.h>

#include <cstdio>

constexpr int WARP_SIZE = 32;

__global__ void total(float* output, const float* input) {
  extern __shared__ float parts[];
  float sum = input[threadIdx.x];
  for (int d = warpSize / 2; d > 0; d /= 2) sum += __shfl_down(sum, d);  // second
  if (threadIdx.x % warpSize == 0) parts[threadIdx.x / warpSize] = sum;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (int i = 1; i < static_cast<int>(blockDim.x / warpSize); ++i) sum += parts[i];
  *output = sum;
}

int main() {
  constexpr int count = 256;
  float values[count], sum, *input, *output;
  for (float& each : values) each = 1;
  hipMalloc(&input, sizeof values);
  hipMalloc(&output, sizeof sum);
  hipMemcpy(input, values, sizeof values, hipMemcpyHostToDevice);
  total<<<1, count, count / WARP_SIZE * sizeof(float)>>>(output, input);  // first
  hipMemcpy(&sum, output, sizeof sum, hipMemcpyDeviceToHost);
  std::printf("%g\n", sum);
  hipFree(input);
  hipFree(output);
}
