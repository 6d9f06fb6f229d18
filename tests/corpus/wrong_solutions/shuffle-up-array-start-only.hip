// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Minds the array's beginning, but not that each warp has one.
// caught on: documented; two warps
// passes on: 5 random numbers
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

__global__ void delta_encoding(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const float current_val = global_i < size ? input[global_i] : 0.0f;
  const float previous_val = warp::shuffle_up(current_val, 1);
  if (global_i < size) output[global_i] = global_i > 0 ? current_val - previous_val : current_val;
}

WARPZ_KERNEL(delta_encoding);
