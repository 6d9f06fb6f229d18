// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

/// To do: output[i] = (input[i] + input[i + 1]) * mean within each warp, and input[i] * mean where there is no
/// next one. Lane 0 computes the mean of the block's first four elements.
__global__ void broadcast_shuffle_coordination(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = warp::lane_id();

  float scale_factor = 0.0f;
  if (lane == 0) {
    [[maybe_unused]] const int block_start = blockIdx.x * blockDim.x;
    // 1. Add up the block's first four elements, as far as they exist, and divide by four.
  }

  // 2. Give lane 0's scale_factor to all lanes with warp::broadcast.

  // Lanes past the end have no element, but every lane has to reach a shuffle: they hold a 0.
  const float current_val = global_i < size ? input[global_i] : 0.0f;

  // 3. Get the next lane's current_val with warp::shuffle_down.

  if (global_i < size) {
    // 4. Scale the sum of both values; in the warp's last lane and for the last element, the value alone.
    output[global_i] = current_val * scale_factor;
  }
}

WARPZ_KERNEL(broadcast_shuffle_coordination);
