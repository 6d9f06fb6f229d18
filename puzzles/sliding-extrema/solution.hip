// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"

#include <cmath>

namespace warp = warpz::warp;

/// How far apart the least and the greatest of eight elements are: the lane's own and the seven behind it, as far as
/// the warp has them. Three steps, each of which doubles what a lane has seen.
///
///     lane             0   1   2   3   4   5   6   7
///     greatest         3   7   4   8   6   2   1   5
///     distance 1       7   7   8   8   6   2   5   5     of two
///     distance 2       8   8   8   8   6   5   5   5     of four
///     distance 4       8   8   8   8   6   5   5   5     of eight
__global__ void sliding_extrema(float* output, const float* input, int size) {
  constexpr int window = 8;
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;

  // fmaxf and fminf pass over a NAN, so lanes past the end change nobody's extremes.
  const float current_val = global_i < size ? input[global_i] : NAN;

  float greatest = current_val, least = current_val;
  for (int distance = 1; distance < window; distance *= 2) {
    // A lane without a partner gets its own value back, which changes nothing.
    greatest = fmaxf(greatest, warp::shuffle_down(greatest, distance));
    least = fminf(least, warp::shuffle_down(least, distance));
  }

  if (global_i < size) output[global_i] = greatest - least;
}

WARPZ_KERNEL(sliding_extrema);
