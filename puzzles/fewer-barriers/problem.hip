// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"
#include "warpz/sync.hpp"

namespace warp = warpz::warp;

/// To do: each thread writes the greatest of its block's elements up to its own.
__global__ void largest_so_far_in_block(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  [[maybe_unused]] const int lane = warp::lane_id();
  const float value = global_i < size ? input[global_i] : -INFINITY;

  // 1. The greatest so far within the warp: warp::shuffle_up over 1, 2, 4, … lanes.
  // 2. The warp's last lane stores the warp's greatest to shared memory. One barrier.
  // 3. Each thread takes those of the warps before its own.
  if (global_i < size) output[global_i] = value;
}

WARPZ_KERNEL(largest_so_far_in_block);
