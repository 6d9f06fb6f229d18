// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One block for all elements, of which there are more than a block has threads.
// run: program
// finds: invalid_launch
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
  square<<<1, count>>>(numbers, count);  // first
  hipMemcpy(&last, numbers + count - 1, sizeof last, hipMemcpyDeviceToHost);
  std::printf("%g\n", last);
  hipFree(numbers);
}
