// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Knows the documented answer, the triangular numbers, instead of adding.
// caught on: 5 random numbers
// passes on: documented; counting on
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

__global__ void warp_inclusive_prefix_sum(float* output, const float* /*input*/, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = warp::lane_id();
  if (global_i < size) {
    const int first = global_i - lane + 1;
    output[global_i] = static_cast<float>((lane + 1) * first + lane * (lane + 1) / 2);
  }
}

WARPZ_KERNEL(warp_inclusive_prefix_sum);
