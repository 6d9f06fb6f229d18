// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A buffer is freed at the end of a round, although the next round's kernel reads it.
// modelled on: https://github.com/JHU-EP-Intro2GPU/EN605.617/pull/9
// run: program
// finds: use_after_free
// lane: 0 0
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void add(int* sums, const int* numbers, int round) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  sums[i] += numbers[i] + round;  // first
}

int main() {
  constexpr int n = 128;
  int *sums, *numbers;
  hipMalloc(&sums, n * sizeof(int));
  hipMalloc(&numbers, n * sizeof(int));
  hipMemset(sums, 0, n * sizeof(int));
  hipMemset(numbers, 0, n * sizeof(int));
  for (int round = 0; round < 2; ++round) {
    add<<<n / 64, 64>>>(sums, numbers, round);
    int last = 0;
    hipMemcpy(&last, sums + n - 1, sizeof last, hipMemcpyDeviceToHost);
    std::printf("round %d: %d\n", round, last);
    hipFree(numbers);  // second
  }
  hipFree(sums);
  return 0;
}
