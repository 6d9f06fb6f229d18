// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

/// To do: every lane writes how often its element occurs in its warp, by the element's bits.
__global__ void warp_match(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;

  // Lanes past the end have no element, but every lane has to reach the match: they hold a 0.
  const bool exists = global_i < size;
  [[maybe_unused]] const float current_val = exists ? input[global_i] : 0.0f;

  // 1. Which lanes have the same value? One call of warp::match_any.
  const warpz::lane_mask same_lanes = warpz::lane_mask{1} << warp::lane_id();

  // 2. If an element is 0, lanes without an element are among them. Who has one? Take the others out.

  if (exists) output[global_i] = static_cast<float>(__popcll(same_lanes));
}

WARPZ_KERNEL(warp_match);
