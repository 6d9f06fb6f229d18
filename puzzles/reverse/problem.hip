// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

/// To do, within each warp's part of the array: the elements from the last to the first.
__global__ void warp_reverse(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  [[maybe_unused]] const int warp_start = global_i - warp::lane_id();

  // Lanes past the end have no element, but every lane has to reach a shuffle: they hold a 0.
  const float current_val = global_i < size ? input[global_i] : 0.0f;

  // 1. Turn the whole warp round with warp::shuffle_xor: the first lane and the last one change places, the second
  //    and the last but one, and so on. Which bits of the lane number differ between such partners?

  // 2. If lanes are without an element, what they held comes first now. How many are these? Move the elements
  //    down by so many lanes with warp::shuffle_down.

  // 3. Store that instead of the element.
  if (global_i < size) output[global_i] = current_val;
}

WARPZ_KERNEL(warp_reverse);
