// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

/// To do: elements 0 and 1 change places, 2 and 3, and so on. An element without a partner stays.
__global__ void butterfly_pair_swap(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;

  // Lanes past the end have no element, but every lane has to reach a shuffle: they hold a 0.
  const float current_val = global_i < size ? input[global_i] : 0.0f;

  // 1. Get the partner's value: warp::shuffle_xor. Which bit of the lane number differs within a pair?

  if (global_i < size) {
    // 2. Store the partner's value.
    // 3. If the array ends before the partner, store the element itself.
    output[global_i] = current_val;
  }
}

WARPZ_KERNEL(butterfly_pair_swap);
