// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"

#include <cmath>

namespace warp = warpz::warp;

/// Whether a stands before b: the lesser number first, and NANs, which are not equal to themselves, behind all numbers.
static __device__ bool comes_before(float a, float b) { return a < b || (a == a && b != b); }

/// To do: the warp's elements from the least to the greatest, by K. E. Batcher's bitonic network.
__global__ void warp_bitonic_sort(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = warp::lane_id();

  // Lanes past the end take part with what stands behind everything, so the elements end up before it.
  float current_val = global_i < size ? input[global_i] : NAN;

  // 1. This sorts pairs of neighbors. Around it belong two loops: over the lengths of runs, 2, 4, … up to the warp, and
  //    for each of them over the distances of partners, half a run, a quarter, … down to 1.
  const int distance = 1;
  const float partner_val = warp::shuffle_xor(current_val, distance);
  const bool is_lower = (lane & distance) == 0;

  // 2. Every other run has to fall. Which bit of the lane's number tells?
  const bool run_rises = true;

  const bool takes_partners =
      is_lower == run_rises ? comes_before(partner_val, current_val) : comes_before(current_val, partner_val);
  current_val = takes_partners ? partner_val : current_val;

  if (global_i < size) output[global_i] = current_val;
}

WARPZ_KERNEL(warp_bitonic_sort);
