// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Written for 32 lanes: with 64 of them, lane 32 is not a first one.
// caught on: documented (64 lanes)
// passes on: documented (32 lanes); two warps (32 lanes)
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

__global__ void delta_encoding(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = warp::lane_id();
  const float current_val = global_i < size ? input[global_i] : 0.0f;
  const float previous_val = warp::shuffle_up(current_val, 1);
  if (global_i < size) output[global_i] = lane % 32 > 0 ? current_val - previous_val : current_val;
}

WARPZ_KERNEL(delta_encoding);
