// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The best and the worst mark of the whole warp.
// caught on: documented; two warps
// passes on: 5 random numbers
#include <cmath>

#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

namespace {
constexpr int judges = 8;
}

__global__ void marks_of_juries(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool exists = global_i < size;
  const float mark = exists ? input[global_i] : 0.0f;

  const float sum = warp::lane_group_sum<judges>(mark);
  const float best = warp::max(exists ? mark : NAN);
  const float worst = warp::min(exists ? mark : NAN);

  const int jury = warp::lane_group_reduce<judges>(warp::up_lanes, exists ? 1 : 0, [](int a, int b) { return a + b; });
  if (warp::lane_id() % judges == judges - 1 && jury > 0) {
    output[global_i / judges] = jury > 2 ? sum - best - worst : sum;
  }
}

WARPZ_KERNEL(marks_of_juries);
