// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"

#include <cmath>

namespace warp = warpz::warp;

/// To do: how far apart the least and the greatest of eight elements are: the lane's own and the seven behind it, as
/// far as the warp has them.
__global__ void sliding_extrema(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;

  // fmaxf and fminf pass over a NAN, so lanes past the end change nobody's extremes.
  const float current_val = global_i < size ? input[global_i] : NAN;

  float greatest = current_val, least = current_val;

  // 1. Get the greatest of two: the lane's and its right neighbor's. The same for the least.

  // 2. Two neighbors that have seen two elements each have seen four together. Which lane is the partner now? Go on up
  //    to the window.

  if (global_i < size) output[global_i] = greatest - least;
}

WARPZ_KERNEL(sliding_extrema);
