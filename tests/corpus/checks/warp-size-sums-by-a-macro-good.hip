// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host asks the device, so that the macro is used on the device alone.
// run: program --warp-size 64
#include <hip/hip_runtime.h>

#include <cstdio>

#if defined(__GFX9__)
#define WARP_SIZE 64
#else
#define WARP_SIZE 32
#endif

__global__ void sums_of_warps(float* output, const float* input) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = input[i];
  for (int d = WARP_SIZE / 2; d > 0; d /= 2) sum += __shfl_down(sum, d);
  if (threadIdx.x % WARP_SIZE == 0) output[i / WARP_SIZE] = sum;
}

int main() {
  constexpr int count = 256;
  float values[count], sums[count];
  for (float& each : values) each = 1;
  hipDeviceProp_t properties;
  if (hipGetDeviceProperties(&properties, 0) != hipSuccess) return 1;
  const int warps = count / properties.warpSize;
  float *input, *output;
  hipMalloc(&input, sizeof values);
  hipMalloc(&output, sizeof sums);
  hipMemset(output, 0, sizeof sums);
  hipMemcpy(input, values, sizeof values, hipMemcpyHostToDevice);
  sums_of_warps<<<2, count / 2>>>(output, input);
  hipMemcpy(sums, output, warps * sizeof(float), hipMemcpyDeviceToHost);
  for (int i = 0; i < warps; ++i) std::printf("%g\n", sums[i]);
  hipFree(input);
  hipFree(output);
}
