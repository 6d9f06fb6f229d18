// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adds up the array's first four elements in every block.
// caught on: two warps
// passes on: documented; 5 random numbers
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

__global__ void basic_broadcast(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  float broadcast_value = 0.0f;
  if (warp::lane_id() == 0) {
    for (int i = 0; i < 4 && i < size; ++i) broadcast_value += input[i];
  }
  broadcast_value = warp::broadcast(broadcast_value);
  if (global_i < size) output[global_i] = broadcast_value + input[global_i];
}

WARPZ_KERNEL(basic_broadcast);
