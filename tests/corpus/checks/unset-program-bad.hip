// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lane 0 finds no neighbor, and writes a sum that it has not begun.
// run: program
// finds: undefined_lane_value
// lane: 0 0
// other lane: 0 0
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void sums_before(int* output, const int* input) {
  int sum;  // second
  for (unsigned k = 0; k < threadIdx.x; ++k) sum = k == 0 ? input[0] : sum + input[k];
  output[threadIdx.x] = sum;  // first
}

int main() {
  int *output, *input, numbers[32];
  for (int i = 0; i < 32; ++i) numbers[i] = i;
  hipMalloc(reinterpret_cast<void**>(&output), sizeof numbers);
  hipMalloc(reinterpret_cast<void**>(&input), sizeof numbers);
  hipMemcpy(input, numbers, sizeof numbers, hipMemcpyHostToDevice);
  sums_before<<<1, 32>>>(output, input);
  hipMemcpy(numbers, output, sizeof numbers, hipMemcpyDeviceToHost);
  std::printf("%d %d\n", numbers[0], numbers[31]);
  hipFree(output);
  hipFree(input);
}
