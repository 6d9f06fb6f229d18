// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

/// To do: every lane writes the sum of its warp's elements.
__global__ void warp_sum(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;

  // 1. What do lanes past the end add? All lanes have to reach the sum.
  const float current_val = global_i < size ? input[global_i] : 1.0f;

  // 2. Add up the warp: one call.

  // 3. Store the sum instead of the element.
  if (global_i < size) output[global_i] = current_val;
}

WARPZ_KERNEL(warp_sum);
