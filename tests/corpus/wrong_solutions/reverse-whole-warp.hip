// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Leaves the elements of a partial warp where the mirror put them: at the warp's upper end.
// caught on: documented; 5 random numbers
// passes on: two warps
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

__global__ void warp_reverse(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const float current_val = global_i < size ? input[global_i] : 0.0f;
  const float mirrored_val = warp::shuffle_xor(current_val, warp::size() - 1);
  if (global_i < size) output[global_i] = mirrored_val;
}

WARPZ_KERNEL(warp_reverse);
