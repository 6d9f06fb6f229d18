// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

/// To do: output[i] = input[i] - input[i - 1] within each warp; the warp's first element stays as it is.
__global__ void delta_encoding(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  [[maybe_unused]] const int lane = warp::lane_id();

  // Lanes past the end have no element, but every lane has to reach a shuffle: they hold a 0.
  const float current_val = global_i < size ? input[global_i] : 0.0f;

  // 1. Get the current_val of the lane before with warp::shuffle_up, here, outside of any `if`.

  if (global_i < size) {
    // 2. Store the difference instead of the element, but not in the warp's first lane.
    output[global_i] = current_val;
  }
}

WARPZ_KERNEL(delta_encoding);
