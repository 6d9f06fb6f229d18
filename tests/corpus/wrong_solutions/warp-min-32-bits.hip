// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Looks for the first lane in 32 bits of a vote: of 64 lanes it sees the lower half.
// caught on: the minimum in each lane in turn (64 lanes)
// passes on: documented; the minimum in each lane in turn (32 lanes)
#include "warpz/kernel.hpp"

#include <cmath>

namespace warp = warpz::warp;

__global__ void lane_of_warp_min(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const float current_val = global_i < size ? input[global_i] : NAN;
  const float least_val = warp::min(current_val);
  const auto candidates = static_cast<unsigned>(warp::vote(current_val == least_val));
  if (global_i < size) output[global_i] = static_cast<float>(__ffs(candidates) - 1);
}

WARPZ_KERNEL(lane_of_warp_min);
