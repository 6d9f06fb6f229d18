// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Written for 32 lanes: the set of kept lanes loses its upper half.
// caught on: documented (64 lanes)
// passes on: documented (32 lanes); two warps (32 lanes)
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

__global__ void warp_stream_compaction(float* output, const float* input, int size, float pivot) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = warp::lane_id();
  const bool exists = global_i < size;
  const float current_val = exists ? input[global_i] : 0.0f;
  const bool kept = exists && current_val > pivot;
  const auto kept_lanes = static_cast<unsigned>(warp::vote(kept));
  const int position = __popc(kept_lanes & ((1u << (lane % 32)) - 1));
  if (kept) output[global_i - lane + position] = current_val;
  if (exists && lane >= __popc(kept_lanes)) output[global_i] = 0.0f;
}

WARPZ_KERNEL(warp_stream_compaction);
