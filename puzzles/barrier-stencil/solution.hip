// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"
#include "warpz/sync.hpp"

/// Each thread adds up its element and two on either side, across the ends of warps and blocks.
///
///     tile       | halo |          the block's elements          | halo |
///     from       first - 2        first                  first + threads
__global__ void sum_of_five(float* output, const float* input, int size) {
  constexpr int radius = 2;
  constexpr int max_threads = 1024;
  __shared__ float tile[max_threads + 2 * radius];
  const int threads = blockDim.x, local_i = threadIdx.x;
  const int first = blockIdx.x * threads;
  const int global_i = first + local_i;

  // There are more places in the tile than threads, so some load twice. What lies outside of the array adds nothing.
  for (int place = local_i; place < threads + 2 * radius; place += threads) {
    const int from = first - radius + place;
    tile[place] = from >= 0 && from < size ? input[from] : 0.0f;
  }

  // A thread reads what others have loaded, of other warps too.
  warpz::barrier();

  float sum = 0.0f;
  for (int i = 0; i <= 2 * radius; ++i) sum += tile[local_i + i];
  if (global_i < size) output[global_i] = sum;
}

WARPZ_KERNEL(sum_of_five);
