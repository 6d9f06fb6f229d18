// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts every bit that is not set as a lane that said no, also where no lane is and where one has no element.
// caught on: documented; 5 random numbers
// passes on: two warps (64 lanes)
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

__global__ void warp_vote(float* output, const float* input, int size, float pivot) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool exists = global_i < size;
  const float current_val = exists ? input[global_i] : 0.0f;
  const bool is_above = current_val > pivot;
  const warpz::lane_mask above_lanes = warp::vote(exists && is_above);
  const warpz::lane_mask other_lanes = ~above_lanes;
  if (exists) output[global_i] = static_cast<float>(__popcll(is_above ? above_lanes : other_lanes));
}

WARPZ_KERNEL(warp_vote);
