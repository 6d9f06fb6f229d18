// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The upper partner subtracts the lower one: the sign is wrong where k has an odd number of bits.
// caught on: documented; 5 random numbers
// passes on: all zero
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

__global__ void warp_walsh_transform(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = warp::lane_id();

  // Lanes past the end take part with an element that adds nothing.
  float current_val = global_i < size ? input[global_i] : 0.0f;

  for (int distance = 1; distance < warp::size(); distance *= 2) {
    const float partner_val = warp::shuffle_xor(current_val, distance);
    const bool is_lower = (lane & distance) == 0;
    current_val = is_lower ? current_val + partner_val : current_val - partner_val;
  }

  if (global_i < size) output[global_i] = current_val;
}

WARPZ_KERNEL(warp_walsh_transform);
