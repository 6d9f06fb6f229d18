// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Forgets the warps before.
// caught on: documented
// passes on: --random 1 --size 30
#include "warpz/kernel.hpp"
#include "warpz/sync.hpp"

namespace warp = warpz::warp;

__global__ void largest_so_far_in_block(float* output, const float* input, int size) {
  constexpr int most_warps = 4;
  __shared__ float largest[most_warps];
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = warp::lane_id(), own_warp = threadIdx.x / warp::size();

  float value = global_i < size ? input[global_i] : -INFINITY;
  for (int distance = 1; distance < warp::size(); distance *= 2) {
    const float before = warp::shuffle_up(value, distance);
    if (lane >= distance) value = fmaxf(value, before);
  }
  if (lane == warp::size() - 1) largest[own_warp] = value;

  warpz::barrier();

  if (global_i < size) output[global_i] = value;
}

WARPZ_KERNEL(largest_so_far_in_block);
