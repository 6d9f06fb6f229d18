// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts lanes past the end where their 0 is what an element is too.
// caught on: documented; all zero
// passes on: all equal
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

__global__ void warp_match(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const float current_val = global_i < size ? input[global_i] : 0.0f;
  const warpz::lane_mask same_lanes = warp::match_any(current_val);
  if (global_i < size) output[global_i] = static_cast<float>(__popcll(same_lanes));
}

WARPZ_KERNEL(warp_match);
