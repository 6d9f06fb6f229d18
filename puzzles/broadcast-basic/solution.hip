// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

/// output[i] = input[i] + the sum of the block's first four elements, which lane 0 computes.
///
///     lane                   0      1      2     …
///     before the broadcast   sum    0      0     …
///     after it               sum    sum    sum   …
__global__ void basic_broadcast(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = warp::lane_id();

  float broadcast_value = 0.0f;
  if (lane == 0) {
    const int block_start = blockIdx.x * blockDim.x;
    for (int i = 0; i < 4; ++i) {
      if (block_start + i < size) broadcast_value += input[block_start + i];
    }
  }

  // All lanes are here again, those past the end too.
  broadcast_value = warp::broadcast(broadcast_value);

  if (global_i < size) output[global_i] = broadcast_value + input[global_i];
}

WARPZ_KERNEL(basic_broadcast);
