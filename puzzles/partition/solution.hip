// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

/// Within each warp's part of the array: elements less than the pivot to the left, the others to the right, both
/// in their order.
///
///     lane               0   1   2   3   4   5   6   7     pivot 5
///     current_val        3   7   1   8   2   9   4   6
///     predicate_left     1   0   1   0   1   0   1   0     warp_left_total = 4
///     warp_left_pos      0       1       2       3
///     warp_right_pos         0       1       2       3     + warp_left_total
///     output             3   1   2   4   7   8   9   6
__global__ void warp_partition(float* output, const float* input, int size, float pivot) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const int warp_start = global_i - warp::lane_id();

  // Lanes past the end belong to neither side: both of their predicates are 0.
  const bool exists = global_i < size;
  const float current_val = exists ? input[global_i] : 0.0f;
  const int predicate_left = exists && current_val < pivot ? 1 : 0;
  const int predicate_right = exists && !(current_val < pivot) ? 1 : 0;

  // The place within each side: how many lanes before this one go there too.
  const int warp_left_pos = warp::prefix_sum<true>(predicate_left);
  const int warp_right_pos = warp::prefix_sum<true>(predicate_right);

  // The boundary between the sides: how many lanes go to the left, known in all lanes.
  int warp_left_total = predicate_left;
  for (int offset = warp::size() / 2; offset > 0; offset /= 2) {
    warp_left_total += warp::shuffle_xor(warp_left_total, offset);
  }

  if (exists) {
    const int position = predicate_left != 0 ? warp_left_pos : warp_left_total + warp_right_pos;
    output[warp_start + position] = current_val;
  }
}

WARPZ_KERNEL(warp_partition);
