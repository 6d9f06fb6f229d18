// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"
#include "warpz/sync.hpp"

/// To do: output[i] is the largest of the three numbers of point i, input[3 * i] to input[3 * i + 2].
__global__ void largest_field(float* output, const float* input, int size) {
  constexpr int points = 64;
  const int point = blockIdx.x * points + threadIdx.x;

  // 1. Load the block's 192 numbers to shared memory, so that consecutive lanes load consecutive numbers.
  // 2. Wait for the others, and take the three that are this thread's own.
  if (point < size) output[point] = input[point];
}

WARPZ_KERNEL(largest_field);
