// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

/// Within each warp's part of the array: the elements from the last to the first.
///
///     lane            0   1   2   3   4   5   6   7     a warp of 8 lanes, 5 of which have an element
///     current_val     a   b   c   d   e   .   .   .
///     mirrored_val    .   .   .   e   d   c   b   a     every bit of the lane number turned round
///     reversed_val    e   d   c   b   a   …             down by the 3 missing ones
__global__ void warp_reverse(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const int warp_start = global_i - warp::lane_id();

  // Lanes past the end have no element, but the shuffles need them: they take part with a 0.
  const float current_val = global_i < size ? input[global_i] : 0.0f;
  const float mirrored_val = warp::shuffle_xor(current_val, warp::size() - 1);

  // Lanes without an element were the last ones, and are the first ones now.
  const int missing = max(warp_start + warp::size() - size, 0);
  const float reversed_val = warp::shuffle_down(mirrored_val, missing);

  if (global_i < size) output[global_i] = reversed_val;
}

WARPZ_KERNEL(warp_reverse);
