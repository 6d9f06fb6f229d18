// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"
#include "warpz/sync.hpp"

namespace warp = warpz::warp;

/// To do: each block counts how many of its elements are in each of four bins, and writes the four counts.
__global__ void warp_histogram(float* output, const float* input, int size) {
  constexpr int bins = 4;
  __shared__ unsigned counts[bins];
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x, local_i = threadIdx.x;
  const bool exists = global_i < size;
  const float x = exists ? input[global_i] : 0.0f;
  [[maybe_unused]] const int bin = (x >= 0.0f) + (x >= 16.0f) + (x >= 32.0f);

  if (local_i < bins) counts[local_i] = 0;
  warpz::barrier();

  // 1. Count the warp's lanes in each bin, with warp::vote and __popcll.
  // 2. Add the warp's counts to the block's by one atomicAdd, whose lanes add to different counts.

  warpz::barrier();
  if (local_i < bins) output[bins * blockIdx.x + local_i] = static_cast<float>(counts[local_i]);
}

WARPZ_KERNEL(warp_histogram);
