// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

/// Doubles the elements that reach half the maximum of the block's first eight, and halves the others. Lane 0
/// finds the maximum and decides for all.
///
///     lane                   0      1      2     …
///     before the broadcast   max    0      0     …
///     after it               max    max    max   …
__global__ void conditional_broadcast(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = warp::lane_id();
  const int block_start = blockIdx.x * blockDim.x;

  float decision_value = 0.0f;
  if (lane == 0 && block_start < size) {
    decision_value = input[block_start];
    for (int i = 1; i < 8 && block_start + i < size; ++i) {
      const float current_val = input[block_start + i];
      if (current_val > decision_value) decision_value = current_val;
    }
  }

  // All lanes are here again, those past the end too.
  decision_value = warp::broadcast(decision_value);

  if (global_i < size) {
    const float current_input = input[global_i];
    const float threshold = decision_value / 2.0f;
    output[global_i] = current_input >= threshold ? current_input * 2.0f : current_input / 2.0f;
  }
}

WARPZ_KERNEL(conditional_broadcast);
