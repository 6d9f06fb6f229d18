// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks of 256 threads for all elements.
// run: program
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void square(float* numbers, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) numbers[i] *= numbers[i];
}

int main() {
  constexpr int count = 2000;
  float *numbers, last = 1;
  hipMalloc(&numbers, count * sizeof(float));
  hipMemset(numbers, 0, count * sizeof(float));
  square<<<(count + 255) / 256, 256>>>(numbers, count);
  hipMemcpy(&last, numbers + count - 1, sizeof last, hipMemcpyDeviceToHost);
  std::printf("%g\n", last);
  hipFree(numbers);
}
