// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares numbers instead of bits: 0 is equal to -0, and no NaN to any other.
// caught on: both zeros; nothing is a number
// passes on: documented; two warps
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

__global__ void warp_match(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool exists = global_i < size;
  const float current_val = exists ? input[global_i] : 0.0f;
  int same = 0;
  for (int source = 0; source < warp::size(); ++source) {
    const bool source_exists = warp::shuffle_idx(exists, source);
    const float source_val = warp::shuffle_idx(current_val, source);
    if (source_exists && source_val == current_val) ++same;
  }
  if (exists) output[global_i] = static_cast<float>(same);
}

WARPZ_KERNEL(warp_match);
