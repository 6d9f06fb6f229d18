// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tree instead of a butterfly: only lane 0 sees all lanes, the others only those above.
// caught on: documented; falling
// passes on: rising
#include "warpz/kernel.hpp"

#include <cmath>

namespace warp = warpz::warp;

__global__ void subtract_warp_max(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const float current_val = global_i < size ? input[global_i] : NAN;
  float greatest_val = current_val;
  for (int offset = warp::size() / 2; offset > 0; offset /= 2) {
    greatest_val = fmaxf(greatest_val, warp::shuffle_down(greatest_val, offset));
  }
  if (global_i < size) output[global_i] = current_val - greatest_val;
}

WARPZ_KERNEL(subtract_warp_max);
