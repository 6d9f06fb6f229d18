// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Written for 32 lanes: 64 of them are taken for more elements than there are.
// caught on: documented (64 lanes)
// passes on: documented (32 lanes); 5 random numbers
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

__global__ void warp_deinterleave(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = warp::lane_id();
  const float current_val = global_i < size ? input[global_i] : 0.0f;
  const int elements = min(size - (global_i - lane), 32);
  const int evens = (elements + 1) / 2;
  const int source = lane < evens ? 2 * lane : 2 * (lane - evens) + 1;
  const float gathered_val = warp::shuffle_idx(current_val, source);
  if (global_i < size) output[global_i] = gathered_val;
}

WARPZ_KERNEL(warp_deinterleave);
