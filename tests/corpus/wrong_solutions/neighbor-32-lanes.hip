// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Written for 32 lanes: with 64 of them, lane 31 is not the last one.
// caught on: documented (64 lanes)
// passes on: documented (32 lanes); one element more than a warp (32 lanes)
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

__global__ void neighbor_difference(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = warp::lane_id();
  const float current_val = global_i < size ? input[global_i] : 0.0f;
  const float next_val = warp::shuffle_down(current_val, 1);
  if (global_i < size) {
    const bool has_next = lane % 32 < 31 && global_i < size - 1;
    output[global_i] = has_next ? next_val - current_val : 0.0f;
  }
}

WARPZ_KERNEL(neighbor_difference);
