// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host asks how many lanes a warp has.
// run: program --warp-size 64
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void total(float* output, const float* input) {
  extern __shared__ float parts[];
  float sum = input[threadIdx.x];
  for (int d = warpSize / 2; d > 0; d /= 2) sum += __shfl_down(sum, d);
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
  int warp_size;
  if (hipDeviceGetAttribute(&warp_size, hipDeviceAttributeWarpSize, 0) != hipSuccess) return 1;
  hipMalloc(&input, sizeof values);
  hipMalloc(&output, sizeof sum);
  hipMemcpy(input, values, sizeof values, hipMemcpyHostToDevice);
  total<<<1, count, count / warp_size * sizeof(float)>>>(output, input);
  hipMemcpy(&sum, output, sizeof sum, hipMemcpyDeviceToHost);
  std::printf("%g\n", sum);
  hipFree(input);
  hipFree(output);
}
