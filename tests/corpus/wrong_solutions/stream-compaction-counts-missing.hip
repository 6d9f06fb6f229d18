// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes past the end vote with their 0, and fewer zeros are written than places are left.
// caught on: documented; 5 random numbers
// passes on: two warps
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

__global__ void warp_stream_compaction(float* output, const float* input, int size, float pivot) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = warp::lane_id();
  const bool exists = global_i < size;
  const float current_val = exists ? input[global_i] : 0.0f;
  const bool kept = exists && current_val > pivot;
  const warpz::lane_mask kept_lanes = warp::vote(current_val > pivot);
  const warpz::lane_mask lanes_before = (warpz::lane_mask{1} << lane) - 1;
  const int position = __popcll(kept_lanes & lanes_before);
  if (kept) output[global_i - lane + position] = current_val;
  if (exists && lane >= __popcll(kept_lanes)) output[global_i] = 0.0f;
}

WARPZ_KERNEL(warp_stream_compaction);
