// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts elements equal to the pivot to the left side.
// caught on: next to the pivot
// passes on: documented
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

__global__ void warp_partition(float* output, const float* input, int size, float pivot) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = warp::lane_id();
  const bool exists = global_i < size;
  const float current_val = global_i < size ? input[global_i] : 0.0f;
  const int predicate_left = exists && current_val <= pivot ? 1 : 0;
  const int predicate_right = exists && current_val > pivot ? 1 : 0;
  const int warp_left_pos = warp::prefix_sum<true>(predicate_left);
  const int warp_right_pos = warp::prefix_sum<true>(predicate_right);
  const int warp_left_total = warp::sum(predicate_left);
  if (exists) {
    const int position = predicate_left != 0 ? warp_left_pos : warp_left_total + warp_right_pos;
    output[global_i - lane + position] = current_val;
  }
}

WARPZ_KERNEL(warp_partition);
