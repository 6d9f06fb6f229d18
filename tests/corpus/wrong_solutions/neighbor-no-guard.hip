// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// No guard at all: the last lane of a full warp gets its own value back and so subtracts to 0.
// caught on: 5 random numbers; one element more than a warp
// passes on: documented; two warps
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

__global__ void neighbor_difference(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const float current_val = global_i < size ? input[global_i] : 0.0f;
  const float next_val = warp::shuffle_down(current_val, 1);
  if (global_i < size) output[global_i] = next_val - current_val;
}

WARPZ_KERNEL(neighbor_difference);
