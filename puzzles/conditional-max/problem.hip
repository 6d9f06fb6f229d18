// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"

#include <cmath>

namespace warp = warpz::warp;

/// To do: even lanes write the maximum of their warp's elements, odd lanes the minimum.
__global__ void butterfly_conditional_max(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  [[maybe_unused]] const int lane = warp::lane_id();

  // Lanes past the end take part with a value that is neutral for both: fmaxf and fminf prefer a number to a NAN.
  float current_val = global_i < size ? input[global_i] : NAN;
  [[maybe_unused]] float min_val = current_val;

  for (int offset = warp::size() / 2; offset > 0; offset /= 2) {
    // 1. Get the partner's current_val with warp::shuffle_xor and keep the greater one (fmaxf).
    // 2. Do the same with min_val and the lesser one (fminf). It needs a shuffle of its own: why?
  }

  // 3. Let the odd lanes store the minimum.
  if (global_i < size) output[global_i] = current_val;
}

WARPZ_KERNEL(butterfly_conditional_max);
