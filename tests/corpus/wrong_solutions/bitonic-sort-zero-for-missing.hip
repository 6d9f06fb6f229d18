// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes past the end take part with a 0, which comes between the elements.
// caught on: documented; 5 random numbers
// passes on: two warps
#include "warpz/kernel.hpp"

#include <cmath>

namespace warp = warpz::warp;

__device__ bool comes_before(float a, float b) { return a < b || (a == a && b != b); }

__global__ void warp_bitonic_sort(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = warp::lane_id();
  float current_val = global_i < size ? input[global_i] : 0.0f;
  for (int run = 2; run <= warp::size(); run *= 2) {
    for (int distance = run / 2; distance > 0; distance /= 2) {
      const float partner_val = warp::shuffle_xor(current_val, distance);
      const bool run_rises = (lane & run) == 0;
      const bool is_lower = (lane & distance) == 0;
      const bool takes_partners =
          is_lower == run_rises ? comes_before(partner_val, current_val) : comes_before(current_val, partner_val);
      current_val = takes_partners ? partner_val : current_val;
    }
  }
  if (global_i < size) output[global_i] = current_val;
}

WARPZ_KERNEL(warp_bitonic_sort);
