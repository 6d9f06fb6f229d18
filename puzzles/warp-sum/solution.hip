// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

/// Every lane writes the sum of its warp's elements.
///
///     lane           0          1          2          3
///     current_val    a          b          c          d
///     total          a+b+c+d    a+b+c+d    a+b+c+d    a+b+c+d
__global__ void warp_sum(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;

  // Lanes past the end have no element, but the sum needs them: they take part with a 0.
  const float current_val = global_i < size ? input[global_i] : 0.0f;
  const float total = warp::sum(current_val);

  if (global_i < size) output[global_i] = total;
}

WARPZ_KERNEL(warp_sum);
