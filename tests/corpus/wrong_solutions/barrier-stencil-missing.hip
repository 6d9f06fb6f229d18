// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads what other threads loaded without waiting for them.
// caught on: documented; 5 random numbers
// passes on: all zero
#include "warpz/kernel.hpp"
#include "warpz/sync.hpp"

namespace {
constexpr int radius = 2;
constexpr int max_threads = 1024;
}  // namespace

__global__ void sum_of_five(float* output, const float* input, int size) {
  __shared__ float tile[max_threads + 2 * radius];
  const int threads = blockDim.x, local_i = threadIdx.x;
  const int first = blockIdx.x * threads;
  const int global_i = first + local_i;

  for (int place = local_i; place < threads + 2 * radius; place += threads) {
    const int from = first - radius + place;
    tile[place] = from >= 0 && from < size ? input[from] : 0.0f;
  }

  float sum = 0.0f;
  for (int i = 0; i <= 2 * radius; ++i) sum += tile[local_i + i];
  if (global_i < size) output[global_i] = sum;
}

WARPZ_KERNEL(sum_of_five);
