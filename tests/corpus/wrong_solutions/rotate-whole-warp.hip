// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lets the ring close at the warp's end, also where the elements end before it.
// caught on: documented; 5 random numbers
// passes on: two warps
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

__global__ void warp_rotate(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const float current_val = global_i < size ? input[global_i] : 0.0f;
  const int source = (warp::lane_id() + 1) % warp::size();
  const float rotated_val = warp::shuffle_idx(current_val, source);
  if (global_i < size) output[global_i] = rotated_val;
}

WARPZ_KERNEL(warp_rotate);
