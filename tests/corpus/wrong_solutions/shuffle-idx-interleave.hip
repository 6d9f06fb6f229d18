// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Takes the place where an element goes for the one where it comes from, and so interleaves.
// caught on: documented; 5 random numbers
// passes on: all equal
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

__global__ void warp_deinterleave(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = warp::lane_id();
  const float current_val = global_i < size ? input[global_i] : 0.0f;
  const int elements = min(size - (global_i - lane), warp::size());
  const int evens = (elements + 1) / 2;
  const int source = lane % 2 == 0 ? lane / 2 : evens + lane / 2;
  const float gathered_val = warp::shuffle_idx(current_val, source);
  if (global_i < size) output[global_i] = gathered_val;
}

WARPZ_KERNEL(warp_deinterleave);
