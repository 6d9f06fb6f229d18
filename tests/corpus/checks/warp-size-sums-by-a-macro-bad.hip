// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A macro is 64 where the device's code is compiled, and 32 where the host's is: the host copies twice as many sums.
// run: program --warp-size 64
// finds: warp_size_dependence
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
  for (int d = WARP_SIZE / 2; d > 0; d /= 2) sum += __shfl_down(sum, d);  // second
  if (threadIdx.x % WARP_SIZE == 0) output[i / WARP_SIZE] = sum;
}

int main() {
  constexpr int count = 256;
  float values[count], sums[count];
  for (float& each : values) each = 1;
  float *input, *output;
  hipMalloc(&input, sizeof values);
  hipMalloc(&output, sizeof sums);
  hipMemset(output, 0, sizeof sums);
  hipMemcpy(input, values, sizeof values, hipMemcpyHostToDevice);
  sums_of_warps<<<2, count / 2>>>(output, input);
  hipMemcpy(sums, output, count / WARP_SIZE * sizeof(float), hipMemcpyDeviceToHost);  // first
  for (int i = 0; i < count / WARP_SIZE; ++i) std::printf("%g\n", sums[i]);
  hipFree(input);
  hipFree(output);
}
