// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Written for 32 lanes: of 64 it counts the lower half.
// caught on: documented (64 lanes)
// passes on: documented (32 lanes); two warps (32 lanes)
#include "warpz/kernel.hpp"

namespace warp = warpz::warp;

__global__ void warp_match(float* output, const float* input, int size) {
  const int global_i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool exists = global_i < size;
  const float current_val = exists ? input[global_i] : 0.0f;
  const auto same_lanes = static_cast<unsigned>(warp::match_any(current_val) & warp::vote(exists));
  if (exists) output[global_i] = static_cast<float>(__popc(same_lanes));
}

WARPZ_KERNEL(warp_match);
