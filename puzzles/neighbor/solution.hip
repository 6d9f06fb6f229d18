// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

/// output[i] = input[i + 1] - input[i] within each warp; 0 where there is no next lane or no next element.
///
///     lane           0       1       2     …    W-1
///     current_val    a       b       c     …    z
///     next_val       b       c       d     …    (its own)
///     output         b-a     c-b     d-c   …    0
__global__ void neighbor_difference(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = warp::lane_id();

  // Lanes past the end have no element, but the shuffle needs them: they take part with a 0.
  const float current_val = global_i < size ? input[global_i] : 0.0f;
  const float next_val = warp::shuffle_down(current_val, 1);

  if (global_i < size) {
    const bool has_next = lane < warp::size() - 1 && global_i < size - 1;
    output[global_i] = has_next ? next_val - current_val : 0.0f;
  }
}

WARPZ_KERNEL(neighbor_difference);
