// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"
#include "warpz/sync.hpp"

namespace warp = warpz::warp;

/// Even lanes double their element, odd lanes turn its sign, each in a branch of its own; then each lane reads what its
/// mirror image in the warp made.
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
  }

  // Nobody knows which branch ran first, nor whether both are through. Behind this they are, for all lanes, and what
  // they wrote is seen.
  warpz::syncwarp(warpz::full_mask);

  if (global_i < size) output[global_i] = made[existing - 1 - lane];
}

WARPZ_KERNEL(mirrored_branches);
