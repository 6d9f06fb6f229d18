// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A full mask for 32 lanes: with 64 it does not name the upper half.
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

__global__ void neighbor_difference(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const float current_val = global_i < size ? input[global_i] : 0.0f;
  const float next_val = warp::shuffle_down(current_val, 1, 0xffffffff);  // the wrong mask
  const bool has_next = warp::lane_id() < warp::size() - 1 && global_i < size - 1;
  if (global_i < size) output[global_i] = has_next ? next_val - current_val : 0.0f;
}

WARPZ_KERNEL(neighbor_difference);
