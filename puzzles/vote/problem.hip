// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

/// To do: every lane writes how many elements of its warp are on its own element's side of the pivot: above it, or
/// not.
__global__ void warp_vote(float* output, const float* input, int size, float pivot) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;

  const bool exists = global_i < size;
  const float current_val = exists ? input[global_i] : 0.0f;
  const bool is_above = current_val > pivot;

  // 1. Let the warp vote: warp::vote gives every lane the set of lanes that say yes. Those past the end reach it too;
  //    what do they say?

  // 2. How many lanes are on this lane's side? __popcll counts the bits of a set of lanes.
  const int same_side = is_above ? 1 : 0;

  if (exists) output[global_i] = static_cast<float>(same_side);
}

WARPZ_KERNEL(warp_vote);
