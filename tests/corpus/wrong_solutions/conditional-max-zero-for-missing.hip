// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes past the end take part with a 0, which is less than positive elements.
// caught on: rising; negative and falling
// passes on: documented; two warps
#include "warpz/kernel.hpp"

#include <cmath>

namespace warp = warpz::warp;

__global__ void butterfly_conditional_max(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = warp::lane_id();
  float current_val = global_i < size ? input[global_i] : 0.0f;
  float min_val = current_val;
  for (int offset = warp::size() / 2; offset > 0; offset /= 2) {
    current_val = fmaxf(current_val, warp::shuffle_xor(current_val, offset));
    min_val = fminf(min_val, warp::shuffle_xor(min_val, offset));
  }
  if (global_i < size) output[global_i] = lane % 2 == 0 ? current_val : min_val;
}

WARPZ_KERNEL(butterfly_conditional_max);
