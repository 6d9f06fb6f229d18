// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts on four elements: where there are fewer it adds the last one again.
// caught on: 3 random numbers; one element more than a warp
// passes on: documented; 5 random numbers
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

__global__ void basic_broadcast(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  float broadcast_value = 0.0f;
  if (warp::lane_id() == 0) {
    const int block_start = blockIdx.x * blockDim.x;
    for (int i = 0; i < 4; ++i) broadcast_value += input[block_start + i < size ? block_start + i : size - 1];
  }
  broadcast_value = warp::broadcast(broadcast_value);
  if (global_i < size) output[global_i] = broadcast_value + input[global_i];
}

WARPZ_KERNEL(basic_broadcast);
