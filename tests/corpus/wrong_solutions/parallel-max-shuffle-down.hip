// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tree instead of a butterfly: only lane 0 sees all lanes, the others only those above.
// caught on: the maximum in each lane in turn; falling
// passes on: documented; rising
#include "warpz/kernel.hpp"

#include <cmath>

namespace warp = warpz::warp;

__global__ void butterfly_parallel_max(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  float max_val = global_i < size ? input[global_i] : NAN;
  for (int offset = warp::size() / 2; offset > 0; offset /= 2) {
    max_val = fmaxf(max_val, warp::shuffle_down(max_val, offset));
  }
  if (global_i < size) output[global_i] = max_val;
}

WARPZ_KERNEL(butterfly_parallel_max);
