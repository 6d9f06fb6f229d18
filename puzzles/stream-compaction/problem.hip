// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

/// To do, within each warp's part of the array: the elements above the pivot to the front, in their order; zeros
/// behind them.
__global__ void warp_stream_compaction(float* output, const float* input, int size, float pivot) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = warp::lane_id();
  const int warp_start = global_i - lane;

  const bool exists = global_i < size;
  const float current_val = exists ? input[global_i] : 0.0f;
  const bool kept = exists && current_val > pivot;

  // 1. Which lanes keep their element? One warp::vote, outside of any `if`.

  // 2. How many of them are before this lane? How many are there in all? __popcll counts the bits of a set of lanes.
  const int position = lane;

  if (kept) output[warp_start + position] = current_val;
  // 3. Zeros belong in the places behind all that are kept, not in those of the elements that are dropped.
  if (exists && !kept) output[global_i] = 0.0f;
}

WARPZ_KERNEL(warp_stream_compaction);
