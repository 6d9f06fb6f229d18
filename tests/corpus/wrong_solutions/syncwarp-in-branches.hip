// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes without an element skip the call.
// caught on: documented; 5 random numbers
// passes on: two warps
#include "warpz/kernel.hpp"
#include "warpz/sync.hpp"

namespace warp = warpz::warp;

__global__ void mirrored_branches(float* output, const float* input, int size) {
  __shared__ float made[64];  // as many lanes as a warp may have
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = warp::lane_id();
  const int existing = min(warp::size(), size - (global_i - lane));

  if (global_i < size) {
    if (lane % 2 == 0) {
      made[lane] = 2.0f * input[global_i];
    } else {
      made[lane] = -input[global_i];
    }
    warpz::syncwarp();
  }

  if (global_i < size) output[global_i] = made[existing - 1 - lane];
}

WARPZ_KERNEL(mirrored_branches);
