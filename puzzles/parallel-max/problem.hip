// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"

#include <cmath>

namespace warp = warpz::warp;

/// To do: every lane writes the maximum of its warp's elements.
__global__ void butterfly_parallel_max(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;

  // Lanes past the end take part with the neutral value: fmaxf of a NAN and a number is the number.
  float max_val = global_i < size ? input[global_i] : NAN;

  // 1. Compare with a partner at a distance of half a warp: warp::shuffle_xor and fmaxf.
  // 2. Halve the distance, and go on until it was 1. A warp has warp::size() lanes: 32 or 64.

  if (global_i < size) output[global_i] = max_val;
}

WARPZ_KERNEL(butterfly_parallel_max);
