// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"

#include <cmath>

namespace warp = warpz::warp;

/// To do: output[i] = input[i] minus the maximum of the warp's elements.
__global__ void subtract_warp_max(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;

  // 1. All lanes have to reach the maximum, also those past the end. Which value never wins?
  const float current_val = global_i < size ? input[global_i] : 0.0f;

  // 2. Get the warp's maximum: one call.

  // 3. Subtract it.
  if (global_i < size) output[global_i] = current_val;
}

WARPZ_KERNEL(subtract_warp_max);
