// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adds the own element and subtracts it again, which is no way back from infinity.
// caught on: one infinity
// passes on: documented; two warps
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

__global__ void warp_exclusive_prefix_sum(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const float current_val = global_i < size ? input[global_i] : 0.0f;
  const float scan_result = warp::prefix_sum(current_val) - current_val;
  if (global_i < size) output[global_i] = scan_result;
}

WARPZ_KERNEL(warp_exclusive_prefix_sum);
