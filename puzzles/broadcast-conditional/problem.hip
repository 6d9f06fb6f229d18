// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

/// To do: double the elements that reach half the maximum of the block's first eight, and halve the others. Lane
/// 0 finds the maximum and decides for all.
__global__ void conditional_broadcast(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = warp::lane_id();
  const int block_start = blockIdx.x * blockDim.x;

  float decision_value = 0.0f;
  if (lane == 0 && block_start < size) {
    decision_value = input[block_start];
    // 1. Compare with the next seven elements, as far as they exist, and keep the greatest.
  }

  // 2. Give lane 0's decision to all lanes: warp::broadcast, here, where all of them are together again.

  if (global_i < size) {
    const float current_input = input[global_i];
    const float threshold = decision_value / 2.0f;
    output[global_i] = current_input >= threshold ? current_input * 2.0f : current_input / 2.0f;
  }
}

WARPZ_KERNEL(conditional_broadcast);
