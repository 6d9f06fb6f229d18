// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"

#include <cmath>

namespace warp = warpz::warp;

/// Every lane writes the number of the first lane that has the minimum of the warp's elements; -1 if none of them is a
/// number.
///
///     lane           0    1    2    3    4
///     current_val    8    4    7    4    9
///     least_val      4    4    4    4    4
///     candidate      W    1    W    3    W     W: not this lane
///     first_lane     1    1    1    1    1
__global__ void lane_of_warp_min(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = warp::lane_id();

  // Lanes past the end take part with the neutral value: a NAN counts only if there is nothing else.
  const float current_val = global_i < size ? input[global_i] : NAN;
  const float least_val = warp::min(current_val);

  // A NAN is not equal to itself, so lanes past the end are no candidates.
  const int candidate = current_val == least_val ? lane : warp::size();
  const int first_lane = warp::min(candidate);

  if (global_i < size) output[global_i] = static_cast<float>(first_lane < warp::size() ? first_lane : -1);
}

WARPZ_KERNEL(lane_of_warp_min);
