// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shifts instead of rotating: the last lane keeps its own value, or gets that of a lane without an element.
// caught on: documented; two warps
// passes on: all zero
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

__global__ void warp_rotate(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const float current_val = global_i < size ? input[global_i] : 0.0f;
  const float rotated_val = warp::shuffle_down(current_val, 1);
  if (global_i < size) output[global_i] = rotated_val;
}

WARPZ_KERNEL(warp_rotate);
