// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stores the running sum: only the last lane has the sum of all lanes.
// caught on: documented; 5 random numbers
// passes on: all zero
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

__global__ void warp_sum(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const float current_val = global_i < size ? input[global_i] : 0.0f;
  const float total = warp::prefix_sum(current_val);
  if (global_i < size) output[global_i] = total;
}

WARPZ_KERNEL(warp_sum);
