// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes past the end vote with their 0.
// caught on: documented; all right of the pivot
// passes on: two warps
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

__global__ void warp_vote(float* output, const float* input, int size, float pivot) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool exists = global_i < size;
  const float current_val = exists ? input[global_i] : 0.0f;
  const bool is_above = current_val > pivot;
  const warpz::lane_mask above_lanes = warp::vote(is_above);
  const warpz::lane_mask other_lanes = warp::vote(!is_above);
  if (exists) output[global_i] = static_cast<float>(__popcll(is_above ? above_lanes : other_lanes));
}

WARPZ_KERNEL(warp_vote);
