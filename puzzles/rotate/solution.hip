// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

/// Within each warp's part of the array: every element moves one place to the left, and the first one to the end.
///
///     lane           0   1   2   3   4
///     current_val    a   b   c   d   e     a partial warp of 5 elements
///     source         1   2   3   4   0
///     output         b   c   d   e   a
__global__ void warp_rotate(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = warp::lane_id();

  // Lanes past the end have no element, but the shuffle needs them: they take part with a 0.
  const float current_val = global_i < size ? input[global_i] : 0.0f;

  const bool has_next = lane < warp::size() - 1 && global_i < size - 1;
  const int source = has_next ? lane + 1 : 0;
  const float rotated_val = warp::shuffle_idx(current_val, source);

  if (global_i < size) output[global_i] = rotated_val;
}

WARPZ_KERNEL(warp_rotate);
