// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Minds the end of the array and forgets the end of the warp.
// caught on: documented (32 lanes); two warps
// passes on: documented (64 lanes); 5 random numbers
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

__global__ void moving_average_3(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const float current_val = global_i < size ? input[global_i] : 0.0f;
  const float next_val = warp::shuffle_down(current_val, 1);
  const float next_next_val = warp::shuffle_down(current_val, 2);
  if (global_i < size) {
    if (global_i < size - 2) {
      output[global_i] = (current_val + next_val + next_next_val) / 3.0f;
    } else if (global_i < size - 1) {
      output[global_i] = (current_val + next_val) / 2.0f;
    } else {
      output[global_i] = current_val;
    }
  }
}

WARPZ_KERNEL(moving_average_3);
