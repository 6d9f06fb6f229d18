// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"
#include "warpz/vector_access.hpp"

/// To do: each thread has four consecutive elements, and writes how far each is above the least of them.
__global__ void above_least_of_four(float* output, const float* input, int size) {
  const int first = 4 * static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);

  // 1. Load the four with one access: warpz::load_four(input, first, size, neutral).
  // 2. Find the least of them.
  // 3. Store the four differences with one access: warpz::store_four(output, first, size, values).
  if (first < size) output[first] = input[first];
}

WARPZ_KERNEL(above_least_of_four);
