// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Starts the maximum at 0, which no negative element reaches.
// caught on: all negative
// passes on: documented
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

__global__ void conditional_broadcast(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const int block_start = blockIdx.x * blockDim.x;
  float decision_value = 0.0f;
  if (warp::lane_id() == 0) {
    for (int i = 0; i < 8 && block_start + i < size; ++i) {
      if (input[block_start + i] > decision_value) decision_value = input[block_start + i];
    }
  }
  decision_value = warp::broadcast(decision_value);
  if (global_i < size) {
    const float current_input = input[global_i];
    output[global_i] = current_input >= decision_value / 2.0f ? current_input * 2.0f : current_input / 2.0f;
  }
}

WARPZ_KERNEL(conditional_broadcast);
