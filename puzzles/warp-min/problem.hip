// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"

#include <cmath>

namespace warp = warpz::warp;

/// To do: every lane writes the number of the first lane that has the minimum of the warp's elements; -1 if none of
/// them is a number.
__global__ void lane_of_warp_min(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = warp::lane_id();

  // Lanes past the end take part with the neutral value: a NAN counts only if there is nothing else.
  [[maybe_unused]] const float current_val = global_i < size ? input[global_i] : NAN;

  // 1. Get the warp's minimum.

  // 2. Which lanes have it? Of these, get the one with the least number.
  const int first_lane = lane;

  // 3. Store -1 if no lane has it.
  if (global_i < size) output[global_i] = static_cast<float>(first_lane);
}

WARPZ_KERNEL(lane_of_warp_min);
