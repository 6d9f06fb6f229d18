// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

/// To do: output[i] = input[i + 1] - input[i] within each warp; 0 where there is no next lane or no next element.
__global__ void neighbor_difference(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  [[maybe_unused]] const int lane = warp::lane_id();

  // Lanes past the end have no element, but every lane has to reach a shuffle: they hold a 0.
  const float current_val = global_i < size ? input[global_i] : 0.0f;

  // 1. Get the next lane's current_val with warp::shuffle_down, here, outside of any `if`.

  if (global_i < size) {
    // 2. Store the difference instead of the element.
    // 3. Store 0 in the warp's last lane (warp::size() tells how many there are) and for the last element.
    output[global_i] = current_val;
  }
}

WARPZ_KERNEL(neighbor_difference);
