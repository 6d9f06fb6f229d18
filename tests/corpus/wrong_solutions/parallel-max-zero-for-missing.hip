// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes past the end take part with a 0, which beats negative elements.
// caught on: all negative
// passes on: documented; two warps
#include "warpz/kernel.hpp"

#include <cmath>

namespace warp = warpz::warp;

__global__ void butterfly_parallel_max(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  float max_val = global_i < size ? input[global_i] : 0.0f;
  for (int offset = warp::size() / 2; offset > 0; offset /= 2) {
    max_val = fmaxf(max_val, warp::shuffle_xor(max_val, offset));
  }
  if (global_i < size) output[global_i] = max_val;
}

WARPZ_KERNEL(butterfly_parallel_max);
