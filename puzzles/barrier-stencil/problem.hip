// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"
#include "warpz/sync.hpp"

/// To do: each thread adds up its element and two on either side, across the ends of warps and blocks.
__global__ void sum_of_five(float* output, const float* input, int size) {
  constexpr int radius = 2;
  constexpr int max_threads = 1024;
  __shared__ float tile[max_threads + 2 * radius];
  const int threads = blockDim.x, local_i = threadIdx.x;
  const int first = blockIdx.x * threads;
  const int global_i = first + local_i;

  // 1. The tile begins two elements before the block's first one and ends two behind its last. Each thread loads one
  // here: who loads the other four? What lies outside of the array is a 0.
  tile[local_i + radius] = global_i < size ? input[global_i] : 0.0f;

  // 2. The other threads' elements are read from here on. Are they there?

  float sum = 0.0f;
  for (int i = 0; i <= 2 * radius; ++i) sum += tile[local_i + i];
  if (global_i < size) output[global_i] = sum;
}

WARPZ_KERNEL(sum_of_five);
