// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lets missing lanes take part with a 0, which their neighbors see.
// caught on: documented; all negative
// passes on: two warps
#include "warpz/kernel.hpp"

#include <cmath>

namespace warp = warpz::warp;

__global__ void sliding_extrema(float* output, const float* input, int size) {
  constexpr int window = 8;
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;

  // fmaxf and fminf pass over a NAN, so lanes past the end change nobody's extremes.
  const float current_val = global_i < size ? input[global_i] : 0.0f;

  float greatest = current_val, least = current_val;
  for (int distance = 1; distance < window; distance *= 2) {
    // A lane without a partner gets its own value back, which changes nothing.
    greatest = fmaxf(greatest, warp::shuffle_down(greatest, distance));
    least = fminf(least, warp::shuffle_down(least, distance));
  }

  if (global_i < size) output[global_i] = greatest - least;
}

WARPZ_KERNEL(sliding_extrema);
