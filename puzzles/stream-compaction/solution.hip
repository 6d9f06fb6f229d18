// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

/// Within each warp's part of the array: the elements above the pivot to the front, in their order; zeros behind them.
///
///     lane           0    1    2    3    4    5     pivot -1
///     current_val    3    -5   7    -1   -9   2
///     kept_lanes     the lanes 0, 2, 5, in every lane
///     position       0         1              2     how many of them are before this one
///     output         3    7    2    0    0    0
__global__ void warp_stream_compaction(float* output, const float* input, int size, float pivot) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = warp::lane_id();
  const int warp_start = global_i - lane;

  // Lanes past the end keep nothing.
  const bool exists = global_i < size;
  const float current_val = exists ? input[global_i] : 0.0f;
  const bool kept = exists && current_val > pivot;
  const warpz::lane_mask kept_lanes = warp::vote(kept);

  // One bit for each lane before this one.
  const warpz::lane_mask lanes_before = (warpz::lane_mask{1} << lane) - 1;
  const int position = __popcll(kept_lanes & lanes_before);
  const int kept_total = __popcll(kept_lanes);

  if (kept) output[warp_start + position] = current_val;
  if (exists && lane >= kept_total) output[global_i] = 0.0f;
}

WARPZ_KERNEL(warp_stream_compaction);
