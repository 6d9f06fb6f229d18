// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which lanes of a warp the block has. Nothing else.
#pragma once

#include <hip/hip_runtime.h>

namespace warpz {
namespace detail {

__device__ inline int warp_size();
__device__ inline int lane_id();

/// How many lanes of the caller's warp the block has; they are its first ones. Fewer than the warp size where the block
/// ends within the warp.
__device__ inline int existing_lanes() {
  const int threads = static_cast<int>(blockDim.x * blockDim.y * blockDim.z);
  const int thread = static_cast<int>(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z));
  const int from_here = threads - (thread - lane_id());
  return from_here < warp_size() ? from_here : warp_size();
}

}  // namespace detail
}  // namespace warpz
