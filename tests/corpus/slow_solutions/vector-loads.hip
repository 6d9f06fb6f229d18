// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads and stores the elements one by one.
#include "warpz/kernel.hpp"
#include "warpz/vector_access.hpp"

__global__ void above_least_of_four(float* output, const float* input, int size) {
  const int first = 4 * static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  float least = INFINITY;
  for (int i = first; i < first + 4 && i < size; ++i) least = fminf(least, input[i]);
  for (int i = first; i < first + 4 && i < size; ++i) output[i] = input[i] - least;
}

WARPZ_KERNEL(above_least_of_four);
