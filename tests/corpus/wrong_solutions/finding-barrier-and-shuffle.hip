// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Half of the lanes wait at a barrier for the other half, which waits in a shuffle for them.
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

__global__ void neighbor_difference(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const float current_val = global_i < size ? input[global_i] : 0.0f;
  float next_val = current_val;
  if (warp::lane_id() < warp::size() / 2) {
    __syncthreads();  // here the lower half waits
  } else {
    next_val = warp::shuffle_down(current_val, 1);  // here the upper half waits
  }
  if (global_i < size) output[global_i] = next_val - current_val;
}

WARPZ_KERNEL(neighbor_difference);
