// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares with fminf and fmaxf, which prefer a number to a NAN: the number is there twice then, the NAN no more.
// caught on: one that is no number
// passes on: documented; two warps; 5 random numbers
#include "warpz/kernel.hpp"

#include <cmath>

namespace warp = warpz::warp;

__global__ void warp_bitonic_sort(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = warp::lane_id();
  float current_val = global_i < size ? input[global_i] : INFINITY;
  for (int run = 2; run <= warp::size(); run *= 2) {
    for (int distance = run / 2; distance > 0; distance /= 2) {
      const float partner_val = warp::shuffle_xor(current_val, distance);
      const bool run_rises = (lane & run) == 0;
      const bool is_lower = (lane & distance) == 0;
      current_val = is_lower == run_rises ? fminf(current_val, partner_val) : fmaxf(current_val, partner_val);
    }
  }
  if (global_i < size) output[global_i] = current_val;
}

WARPZ_KERNEL(warp_bitonic_sort);
