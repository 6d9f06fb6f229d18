// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Written for 32 lanes: with 64 of them, lane 31 is not the last one.
// caught on: documented (64 lanes)
// passes on: documented (32 lanes); 5 random numbers
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

__global__ void warp_rotate(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = warp::lane_id();
  const float current_val = global_i < size ? input[global_i] : 0.0f;
  const bool has_next = lane % 32 < 31 && global_i < size - 1;
  const int source = has_next ? lane + 1 : 0;
  const float rotated_val = warp::shuffle_idx(current_val, source);
  if (global_i < size) output[global_i] = rotated_val;
}

WARPZ_KERNEL(warp_rotate);
