// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Takes steps of 1, 2 and 3: windows of seven.
// caught on: documented
// passes on: all equal; 5 random numbers
#include "warpz/kernel.hpp"

#include <cmath>

namespace warp = warpz::warp;

__global__ void sliding_extrema(float* output, const float* input, int size) {
  constexpr int window = 8;
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;

  // fmaxf and fminf pass over a NAN, so lanes past the end change nobody's extremes.
  const float current_val = global_i < size ? input[global_i] : NAN;

  float greatest = current_val, least = current_val;
  for (int distance = 1; distance < window / 2; ++distance) {
    // A lane without a partner gets its own value back, which changes nothing.
    greatest = fmaxf(greatest, warp::shuffle_down(greatest, distance));
    least = fminf(least, warp::shuffle_down(least, distance));
  }

  if (global_i < size) output[global_i] = greatest - least;
}

WARPZ_KERNEL(sliding_extrema);
