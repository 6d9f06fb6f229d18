// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Written for 32 lanes: starts at a distance of 16, so 64 lanes have two sums.
// caught on: documented (64 lanes)
// passes on: documented (32 lanes); two warps (32 lanes)
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

__global__ void warp_sum(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  float total = global_i < size ? input[global_i] : 0.0f;
  for (int offset = 16; offset > 0; offset /= 2) total += warp::shuffle_xor(total, offset);
  if (global_i < size) output[global_i] = total;
}

WARPZ_KERNEL(warp_sum);
