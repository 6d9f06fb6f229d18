// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Of several lanes with the minimum it takes the last one.
// caught on: documented; all equal
// passes on: falling
#include "warpz/kernel.hpp"

#include <cmath>

namespace warp = warpz::warp;

__global__ void lane_of_warp_min(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const float current_val = global_i < size ? input[global_i] : NAN;
  const float least_val = warp::min(current_val);
  const int last_lane = warp::max(current_val == least_val ? warp::lane_id() : -1);
  if (global_i < size) output[global_i] = static_cast<float>(last_lane);
}

WARPZ_KERNEL(lane_of_warp_min);
