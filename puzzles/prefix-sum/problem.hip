// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

/// To do: output[i] = the sum of the warp's elements up to and including input[i].
__global__ void warp_inclusive_prefix_sum(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;

  // Lanes past the end have no element, but every lane has to reach the scan: they hold a 0.
  const float current_val = global_i < size ? input[global_i] : 0.0f;

  // 1. Scan the warp: one call of warp::prefix_sum. Inclusive or exclusive?

  // 2. Store the scan's result instead of the element.
  if (global_i < size) output[global_i] = current_val;
}

WARPZ_KERNEL(warp_inclusive_prefix_sum);
