// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

/// Every lane writes how many elements of its warp are on its own element's side of the pivot: above it, or not.
///
///     lane            0     1     2     3     4          pivot -2
///     current_val     -5    2     -2    5     1
///     above_lanes     the lanes 1, 3, 4, in every lane
///     other_lanes     the lanes 0, 2, in every lane
///     output          2     3     2     3     3
__global__ void warp_vote(float* output, const float* input, int size, float pivot) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;

  // Lanes past the end are on neither side: they vote no both times.
  const bool exists = global_i < size;
  const float current_val = exists ? input[global_i] : 0.0f;
  const bool is_above = current_val > pivot;

  // Sets of lanes have 64 bits, also where a warp has 32 lanes.
  const warpz::lane_mask above_lanes = warp::vote(exists && is_above);
  const warpz::lane_mask other_lanes = warp::vote(exists && !is_above);

  if (exists) output[global_i] = static_cast<float>(__popcll(is_above ? above_lanes : other_lanes));
}

WARPZ_KERNEL(warp_vote);
