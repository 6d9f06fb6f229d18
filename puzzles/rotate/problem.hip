// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

/// To do, within each warp's part of the array: every element moves one place to the left, and the first one to the
/// end.
__global__ void warp_rotate(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  [[maybe_unused]] const int lane = warp::lane_id();

  // Lanes past the end have no element, but every lane has to reach a shuffle: they hold a 0.
  const float current_val = global_i < size ? input[global_i] : 0.0f;

  // 1. Which lane has the element that belongs here? For most lanes it is the next one, for one lane it isn't.

  // 2. Get it with warp::shuffle_idx, here, outside of any `if`, and store it.
  if (global_i < size) output[global_i] = current_val;
}

WARPZ_KERNEL(warp_rotate);
