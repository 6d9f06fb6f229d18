// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tree instead of a butterfly: only lane 0 has the sum of all lanes.
// caught on: documented; 5 random numbers
// passes on: all zero
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

__global__ void warp_sum(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  float total = global_i < size ? input[global_i] : 0.0f;
  for (int offset = warp::size() / 2; offset > 0; offset /= 2) total += warp::shuffle_down(total, offset);
  if (global_i < size) output[global_i] = total;
}

WARPZ_KERNEL(warp_sum);
