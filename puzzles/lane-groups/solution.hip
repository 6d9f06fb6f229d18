// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cmath>

#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

/// Eight judges, eight lanes, one mark: the sum of theirs without the best and the worst one. A jury of two or one
/// keeps them all.
///
///     lane      0   1   2   3   4   5   6   7  |  8   9  10
///     mark      7   9   8   8   2   7   8   9  |  6   8   7
///     output                               47  |          7
__global__ void marks_of_juries(float* output, const float* input, int size) {
  constexpr int judges = 8;
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool exists = global_i < size;
  const float mark = exists ? input[global_i] : 0.0f;

  // Who is missing adds nothing, and is neither the best nor the worst. All lanes of a group have these.
  const float sum = warp::lane_group_sum<judges>(mark);
  const float best = warp::lane_group_max<judges>(exists ? mark : NAN);
  const float worst = warp::lane_group_min<judges>(exists ? mark : NAN);

  // Upwards: the group's last lane has the result, and nobody else needs it.
  const int jury = warp::lane_group_reduce<judges>(warp::up_lanes, exists ? 1 : 0, [](int a, int b) { return a + b; });
  if (warp::lane_id() % judges == judges - 1 && jury > 0) {
    output[global_i / judges] = jury > 2 ? sum - best - worst : sum;
  }
}

WARPZ_KERNEL(marks_of_juries);
