// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lane 3 never comes out of its loop. Nothing in the loop gives other lanes a turn.
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

__global__ void neighbor_difference(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  volatile int waiting = 1;
  if (threadIdx.x == 3) {
    while (waiting != 0) {  // the endless loop
    }
  }
  const float current_val = global_i < size ? input[global_i] : 0.0f;
  const float next_val = warp::shuffle_down(current_val, 1);
  if (global_i < size) output[global_i] = next_val - current_val;
}

WARPZ_KERNEL(neighbor_difference);
