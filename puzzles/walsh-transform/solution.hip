// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

/// The Walsh–Hadamard transform of each warp's elements, by the butterflies of J. W. Cooley's and J. W. Tukey's fast
/// Fourier transform. Of two partners the lower one takes the sum, the upper one the difference.
///
///     lane             0    1    2    3
///     current_val      5    1    2    4
///     distance 1       6    4    6   -2      5+1  5-1  2+4  2-4
///     distance 2      12    2    0    6      6+6  4-2  6-6  4+2
__global__ void warp_walsh_transform(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = warp::lane_id();

  // Lanes past the end take part with an element that adds nothing.
  float current_val = global_i < size ? input[global_i] : 0.0f;

  for (int distance = 1; distance < warp::size(); distance *= 2) {
    const float partner_val = warp::shuffle_xor(current_val, distance);
    const bool is_lower = (lane & distance) == 0;
    current_val = is_lower ? current_val + partner_val : partner_val - current_val;
  }

  if (global_i < size) output[global_i] = current_val;
}

WARPZ_KERNEL(warp_walsh_transform);
