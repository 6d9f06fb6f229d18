// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All lanes shuffle, but in two different places.
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

__global__ void neighbor_difference(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const float current_val = global_i < size ? input[global_i] : 0.0f;
  float next_val = 0.0f;
  if (warp::lane_id() % 2 == 0) {
    next_val = warp::shuffle_down(current_val, 1);  // here the even lanes wait
  } else {
    next_val = warp::shuffle_up(current_val, 1);  // here the odd lanes wait
  }
  if (global_i < size) output[global_i] = next_val - current_val;
}

WARPZ_KERNEL(neighbor_difference);
