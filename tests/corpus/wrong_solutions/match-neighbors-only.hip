// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares with both neighbors only, as if the elements were sorted.
// caught on: documented; all equal
// passes on: rising
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

__global__ void warp_match(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = warp::lane_id();
  const bool exists = global_i < size;
  const float current_val = exists ? input[global_i] : 0.0f;
  const float left_val = warp::shuffle_up(current_val, 1);
  const float right_val = warp::shuffle_down(current_val, 1);
  const bool same_left = lane > 0 && left_val == current_val;
  const bool same_right = lane < warp::size() - 1 && global_i < size - 1 && right_val == current_val;
  if (exists) output[global_i] = static_cast<float>(1 + same_left + same_right);
}

WARPZ_KERNEL(warp_match);
