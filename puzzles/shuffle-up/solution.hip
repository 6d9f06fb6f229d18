// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

/// output[i] = input[i] - input[i - 1] within each warp; the warp's first element stays as it is.
///
///     lane            0         1      2      …
///     current_val     a         b      c      …
///     previous_val    (its own) a      b      …
///     output          a         b-a    c-b    …
__global__ void delta_encoding(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = warp::lane_id();

  // Lanes past the end have no element, but the shuffle needs them: they take part with a 0.
  const float current_val = global_i < size ? input[global_i] : 0.0f;
  const float previous_val = warp::shuffle_up(current_val, 1);

  if (global_i < size) output[global_i] = lane > 0 ? current_val - previous_val : current_val;
}

WARPZ_KERNEL(delta_encoding);
