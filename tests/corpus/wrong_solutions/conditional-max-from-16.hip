// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Written for 32 lanes: starts at a distance of 16, so 64 lanes have two maxima and two minima.
// caught on: documented (64 lanes)
// passes on: documented (32 lanes); two warps (32 lanes)
#include "warpz/kernel.hpp"

#include <cmath>

namespace warp = warpz::warp;

__global__ void butterfly_conditional_max(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = warp::lane_id();
  float current_val = global_i < size ? input[global_i] : NAN;
  float min_val = current_val;
  for (int offset = 16; offset > 0; offset /= 2) {
    current_val = fmaxf(current_val, warp::shuffle_xor(current_val, offset));
    min_val = fminf(min_val, warp::shuffle_xor(min_val, offset));
  }
  if (global_i < size) output[global_i] = lane % 2 == 0 ? current_val : min_val;
}

WARPZ_KERNEL(butterfly_conditional_max);
