// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel gets the elements of a vector of the host, in place of those that were copied to the device.
// run: program
// finds: out_of_bounds
// lane: 0 0
#include <hip/hip_runtime.h>

#include <cstdio>
#include <vector>

__global__ void twice(float* output, const float* input) { output[threadIdx.x] = 2 * input[threadIdx.x]; }  // first

int main() {
  std::vector<float> numbers(64, 1.5f);
  const std::size_t bytes = numbers.size() * sizeof(float);
  float *input, *output;
  hipMalloc(&input, bytes);
  hipMalloc(&output, bytes);
  hipMemcpy(input, numbers.data(), bytes, hipMemcpyHostToDevice);
  twice<<<1, 64>>>(output, numbers.data());
  hipMemcpy(numbers.data(), output, bytes, hipMemcpyDeviceToHost);
  std::printf("%g\n", numbers[63]);
  hipFree(input);
  hipFree(output);
}
