// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The maximum by a tree instead of a butterfly: only lane 0 sees all lanes.
// caught on: documented (32 lanes); the maximum in each lane in turn
// passes on: documented (64 lanes); rising
#include "warpz/kernel.hpp"

#include <cmath>

namespace warp = warpz::warp;

__global__ void butterfly_conditional_max(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = warp::lane_id();
  float current_val = global_i < size ? input[global_i] : NAN;
  float min_val = current_val;
  for (int offset = warp::size() / 2; offset > 0; offset /= 2) {
    current_val = fmaxf(current_val, warp::shuffle_down(current_val, offset));
    min_val = fminf(min_val, warp::shuffle_xor(min_val, offset));
  }
  if (global_i < size) output[global_i] = lane % 2 == 0 ? current_val : min_val;
}

WARPZ_KERNEL(butterfly_conditional_max);
