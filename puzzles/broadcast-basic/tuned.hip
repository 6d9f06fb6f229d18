// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"
#include "warpz/vector_access.hpp"

namespace warp = warpz::warp;

/// The same as basic_broadcast with four elements a lane: the four that are added are one lane's, which reads them
/// once.
__global__ void __launch_bounds__(256) basic_broadcast_tuned(float* output, const float* input, int size) {
  const int first = 4 * static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  // The lanes whose elements one warp of basic_broadcast has, and the first of them.
  const int lanes = warp::size() / 4;
  const int first_lane = warp::lane_id() / lanes * lanes;

  // Elements that do not exist add a 0.
  const float4 x = warpz::load_four(input, first, size, 0.0f);
  const float sum = warp::shuffle_idx(0.0f + x.x + x.y + x.z + x.w, first_lane);

  warpz::store_four(output, first, size, make_float4(sum + x.x, sum + x.y, sum + x.z, sum + x.w));
}

WARPZ_KERNEL(basic_broadcast_tuned);
