// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Written for 32 lanes: begins anew in lane 32.
// caught on: documented (64 lanes)
// passes on: documented (32 lanes); 5 random numbers
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

__global__ void warp_exclusive_prefix_sum(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = warp::lane_id();
  const float current_val = global_i < size ? input[global_i] : 0.0f;
  float sum = current_val;
  for (int stride = 1; stride <= 16; stride *= 2) {
    const float before = warp::shuffle_up<32>(sum, stride);
    if (lane % 32 >= stride) sum += before;
  }
  const float scan_result = warp::shuffle_up<32>(sum, 1);
  if (global_i < size) output[global_i] = lane % 32 == 0 ? 0.0f : scan_result;
}

WARPZ_KERNEL(warp_exclusive_prefix_sum);
