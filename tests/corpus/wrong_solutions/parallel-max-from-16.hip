// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Written for 32 lanes: starts at a distance of 16, so 64 lanes have two maxima.
// caught on: documented (64 lanes)
// passes on: documented (32 lanes); two warps (32 lanes)
#include "warpz/kernel.hpp"

#include <cmath>

namespace warp = warpz::warp;

__global__ void butterfly_parallel_max(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  float max_val = global_i < size ? input[global_i] : NAN;
  for (int offset = 16; offset > 0; offset /= 2) {
    max_val = fmaxf(max_val, warp::shuffle_xor(max_val, offset));
  }
  if (global_i < size) output[global_i] = max_val;
}

WARPZ_KERNEL(butterfly_parallel_max);
