// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes past the end take part with a 0, which beats positive elements.
// caught on: documented; falling
// passes on: two warps
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

__global__ void lane_of_warp_min(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const float current_val = global_i < size ? input[global_i] : 0.0f;
  const float least_val = warp::min(current_val);
  const int first_lane = warp::min(current_val == least_val ? warp::lane_id() : warp::size());
  if (global_i < size) output[global_i] = static_cast<float>(first_lane < warp::size() ? first_lane : -1);
}

WARPZ_KERNEL(lane_of_warp_min);
