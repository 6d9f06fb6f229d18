// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

/// output[i] = the sum of the warp's elements before input[i], which is 0 in the warp's first lane.
///
///     lane           0    1    2      3
///     current_val    a    b    c      d
///     scan_result    0    a    a+b    a+b+c
__global__ void warp_exclusive_prefix_sum(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;

  // Lanes past the end have no element, but the scan needs them: they take part with a 0.
  const float current_val = global_i < size ? input[global_i] : 0.0f;
  const float scan_result = warp::prefix_sum<true>(current_val);

  if (global_i < size) output[global_i] = scan_result;
}

WARPZ_KERNEL(warp_exclusive_prefix_sum);
