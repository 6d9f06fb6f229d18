// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// No guard: lane 0 gets its own value back, and the first element becomes 0.
// caught on: documented; 5 random numbers
// passes on: all zero
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

__global__ void delta_encoding(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const float current_val = global_i < size ? input[global_i] : 0.0f;
  const float previous_val = warp::shuffle_up(current_val, 1);
  if (global_i < size) output[global_i] = current_val - previous_val;
}

WARPZ_KERNEL(delta_encoding);
