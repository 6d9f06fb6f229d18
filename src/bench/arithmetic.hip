// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"

/// The roof of --bench's picture that no memory sets: 1,024 times, each thread multiplies and adds in eight chains. Of
/// an input of ones each element of the output is 8 * 1,025, in any order and with any rounding.
__global__ void __launch_bounds__(256) arithmetic_of_all(float* output, const float* input, int size) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const float one = i < size ? input[i] : 1.0f;
  float chain[8];
  for (int k = 0; k < 8; ++k) chain[k] = one;
  for (int step = 0; step < 1024; ++step) {
    for (int k = 0; k < 8; ++k) chain[k] = chain[k] * one + one;
  }
  float sum = 0.0f;
  for (int k = 0; k < 8; ++k) sum += chain[k];
  if (i < size) output[i] = sum;
}

WARPZ_KERNEL(arithmetic_of_all);
