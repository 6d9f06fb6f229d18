// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes without an element return early, and the others wait for them.
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

__global__ void neighbor_difference(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  if (global_i >= size) return;
  const float current_val = input[global_i];
  const float next_val = warp::shuffle_down(current_val, 1);  // here the others wait
  output[global_i] = next_val - current_val;
}

WARPZ_KERNEL(neighbor_difference);
