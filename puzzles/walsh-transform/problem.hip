// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

/// To do: the Walsh–Hadamard transform of each warp's elements, by butterflies.
__global__ void warp_walsh_transform(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = warp::lane_id();

  // Lanes past the end take part with an element that adds nothing.
  float current_val = global_i < size ? input[global_i] : 0.0f;

  // 1. This is the first step, for neighbors. Go on with partners twice as far apart, up to half of the warp.
  const int distance = 1;
  const float partner_val = warp::shuffle_xor(current_val, distance);
  const bool is_lower = (lane & distance) == 0;

  // 2. The lower partner takes the sum. What does the upper one take, and in which order?
  current_val = is_lower ? current_val + partner_val : current_val;

  if (global_i < size) output[global_i] = current_val;
}

WARPZ_KERNEL(warp_walsh_transform);
