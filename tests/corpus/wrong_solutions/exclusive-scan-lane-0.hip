// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Moves the inclusive sums up by one and forgets that lane 0 gets its own value back.
// caught on: documented; 5 random numbers
// passes on: all zero
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

__global__ void warp_exclusive_prefix_sum(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const float current_val = global_i < size ? input[global_i] : 0.0f;
  const float scan_result = warp::shuffle_up(warp::prefix_sum(current_val), 1);
  if (global_i < size) output[global_i] = scan_result;
}

WARPZ_KERNEL(warp_exclusive_prefix_sum);
