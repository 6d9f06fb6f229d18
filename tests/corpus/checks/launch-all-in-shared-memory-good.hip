// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All numbers go to shared memory, which holds them.
// run: program
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void reverse(float* numbers, int count) {
  extern __shared__ float all[];
  for (int i = threadIdx.x; i < count; i += blockDim.x) all[i] = numbers[i];
  __syncthreads();
  for (int i = threadIdx.x; i < count; i += blockDim.x) numbers[i] = all[count - 1 - i];
}

int main() {
  constexpr int count = 16000;
  float *numbers, last = 1;
  hipMalloc(&numbers, count * sizeof(float));
  hipMemset(numbers, 0, count * sizeof(float));
  hipFuncSetAttribute((const void*)reverse, hipFuncAttributeMaxDynamicSharedMemorySize, count * sizeof(float));
  reverse<<<1, 256, count * sizeof(float)>>>(numbers, count);
  hipMemcpy(&last, numbers + count - 1, sizeof last, hipMemcpyDeviceToHost);
  std::printf("%g\n", last);
  hipFree(numbers);
}
