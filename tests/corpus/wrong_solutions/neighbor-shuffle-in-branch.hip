// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shuffles only where there is an element: in a partial warp some lanes never arrive.
// caught on: 5 random numbers; one element more than a warp
// passes on: documented; two warps
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

__global__ void neighbor_difference(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = warp::lane_id();
  if (global_i < size) {
    const float current_val = input[global_i];
    const float next_val = warp::shuffle_down(current_val, 1);  // the finding's line
    const bool has_next = lane < warp::size() - 1 && global_i < size - 1;
    output[global_i] = has_next ? next_val - current_val : 0.0f;
  }
}

WARPZ_KERNEL(neighbor_difference);
