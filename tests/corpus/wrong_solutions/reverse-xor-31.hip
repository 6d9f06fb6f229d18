// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Written for 32 lanes: with 64 of them each half is reversed for itself.
// caught on: documented (64 lanes)
// passes on: documented (32 lanes); two warps (32 lanes)
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

__global__ void warp_reverse(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = warp::lane_id();
  const float current_val = global_i < size ? input[global_i] : 0.0f;
  const float mirrored_val = warp::shuffle_xor(current_val, 31);
  const int missing = max(global_i - lane + 32 - size, 0);
  const float reversed_val = warp::shuffle_down(mirrored_val, missing);
  if (global_i < size) output[global_i] = reversed_val;
}

WARPZ_KERNEL(warp_reverse);
