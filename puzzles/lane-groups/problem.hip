// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cmath>

#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

/// To do: eight judges, eight lanes, one mark: the sum of theirs without the best and the worst one. A jury of two or
/// one keeps them all.
__global__ void marks_of_juries(float* output, const float* input, int size) {
  constexpr int judges = 8;
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool exists = global_i < size;
  const float mark = exists ? input[global_i] : 0.0f;

  // 1. These are of the whole warp. Which operations are for groups of lanes? And what does a missing judge give?
  const float sum = warp::sum(mark);
  const float best = warp::max(mark);
  const float worst = warp::min(mark);

  // How many judges there are, in the group's last lane: this one is right.
  const int jury = warp::lane_group_reduce<judges>(warp::up_lanes, exists ? 1 : 0, [](int a, int b) { return a + b; });

  // 2. And if there are but two?
  if (warp::lane_id() % judges == judges - 1 && jury > 0) {
    output[global_i / judges] = sum - best - worst;
  }
}

WARPZ_KERNEL(marks_of_juries);
