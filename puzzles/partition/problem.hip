// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

/// To do, within each warp's part of the array: elements less than the pivot to the left, the others to the
/// right, both in their order.
__global__ void warp_partition(float* output, const float* input, int size, float pivot) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const int warp_start = global_i - warp::lane_id();

  // Lanes past the end belong to neither side: both of their predicates are 0.
  const bool exists = global_i < size;
  const float current_val = exists ? input[global_i] : 0.0f;
  [[maybe_unused]] const int predicate_left = exists && current_val < pivot ? 1 : 0;
  [[maybe_unused]] const int predicate_right = exists && !(current_val < pivot) ? 1 : 0;

  // 1. How many lanes before this one go to the left? To the right? Two exclusive warp::prefix_sum.

  // 2. How many lanes go to the left in all? A butterfly of warp::shuffle_xor that adds, so that all lanes know.

  if (exists) {
    // 3. Left elements go to the place of 1; right ones behind all left ones.
    const int position = warp::lane_id();
    output[warp_start + position] = current_val;
  }
}

WARPZ_KERNEL(warp_partition);
