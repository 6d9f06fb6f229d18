// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes past the end take part with a 0, which beats negative elements.
// caught on: documented; all negative
// passes on: two warps
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

__global__ void subtract_warp_max(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const float current_val = global_i < size ? input[global_i] : 0.0f;
  const float greatest_val = warp::max(current_val);
  if (global_i < size) output[global_i] = current_val - greatest_val;
}

WARPZ_KERNEL(subtract_warp_max);
