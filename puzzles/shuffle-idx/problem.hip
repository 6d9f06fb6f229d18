// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

/// To do, within each warp's part of the array: the elements at even places first, then those at odd places, both in
/// their order.
__global__ void warp_deinterleave(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = warp::lane_id();
  [[maybe_unused]] const int warp_start = global_i - lane;

  // Lanes past the end have no element, but every lane has to reach a shuffle: they hold a 0.
  const float current_val = global_i < size ? input[global_i] : 0.0f;

  // 1. How many elements does this warp have? How many of them are at even places?

  // 2. Which lane has the element that belongs here?
  const int source = lane;

  const float gathered_val = warp::shuffle_idx(current_val, source);
  if (global_i < size) output[global_i] = gathered_val;
}

WARPZ_KERNEL(warp_deinterleave);
