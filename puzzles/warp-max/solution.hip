// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"

#include <cmath>

namespace warp = warpz::warp;

/// output[i] = input[i] minus the maximum of the warp's elements.
///
///     lane            0     1     2     3
///     current_val     -7    -3    -9    -4
///     greatest_val    -3    -3    -3    -3
///     output          -4    0     -6    -1
__global__ void subtract_warp_max(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;

  // Lanes past the end take part with the neutral value: a NAN counts only if there is nothing else.
  const float current_val = global_i < size ? input[global_i] : NAN;
  const float greatest_val = warp::max(current_val);

  if (global_i < size) output[global_i] = current_val - greatest_val;
}

WARPZ_KERNEL(subtract_warp_max);
