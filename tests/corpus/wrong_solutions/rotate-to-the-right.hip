// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rotates the other way.
// caught on: documented; 5 random numbers
// passes on: all equal
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

__global__ void warp_rotate(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = warp::lane_id();
  const float current_val = global_i < size ? input[global_i] : 0.0f;
  const int elements = min(size - (global_i - lane), warp::size());
  const int source = lane > 0 ? lane - 1 : elements - 1;
  const float rotated_val = warp::shuffle_idx(current_val, source);
  if (global_i < size) output[global_i] = rotated_val;
}

WARPZ_KERNEL(warp_rotate);
