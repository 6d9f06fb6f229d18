// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lets an element stay if no other one is in the mirrored lane, as in the pair swap.
// caught on: documented; 5 random numbers
// passes on: two warps
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

__global__ void warp_reverse(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = warp::lane_id();
  const float current_val = global_i < size ? input[global_i] : 0.0f;
  const float mirrored_val = warp::shuffle_xor(current_val, warp::size() - 1);
  const int partner = global_i - lane + (lane ^ (warp::size() - 1));
  if (global_i < size) output[global_i] = partner < size ? mirrored_val : current_val;
}

WARPZ_KERNEL(warp_reverse);
