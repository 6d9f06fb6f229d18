// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"

#include <cmath>

namespace warp = warpz::warp;

/// Whether a stands before b: the lesser number first, and NANs, which are not equal to themselves, behind all numbers.
static __device__ bool comes_before(float a, float b) { return a < b || (a == a && b != b); }

/// The warp's elements from the least to the greatest, by K. E. Batcher's bitonic network.
///
///     lane            0   1   2   3   4   5   6   7
///     current_val     3   7   4   8   6   2   1   5
///     run 2           3   7   8   4   2   6   5   1     pairs, rising and falling in turn
///     run 4           3   4   7   8   6   5   2   1     fours, the same
///     run 8           1   2   3   4   5   6   7   8
__global__ void warp_bitonic_sort(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = warp::lane_id();

  // Lanes past the end take part with what stands behind everything, so the elements end up before it.
  float current_val = global_i < size ? input[global_i] : NAN;

  for (int run = 2; run <= warp::size(); run *= 2) {
    for (int distance = run / 2; distance > 0; distance /= 2) {
      const float partner_val = warp::shuffle_xor(current_val, distance);
      const bool run_rises = (lane & run) == 0;
      const bool is_lower = (lane & distance) == 0;
      // In a rising run the lower one of two partners keeps the lesser value, in a falling run the greater one.
      const bool takes_partners =
          is_lower == run_rises ? comes_before(partner_val, current_val) : comes_before(current_val, partner_val);
      current_val = takes_partners ? partner_val : current_val;
    }
  }

  if (global_i < size) output[global_i] = current_val;
}

WARPZ_KERNEL(warp_bitonic_sort);
