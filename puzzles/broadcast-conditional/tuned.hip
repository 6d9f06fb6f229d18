// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"
#include "warpz/vector_access.hpp"

namespace warp = warpz::warp;

/// The same as conditional_broadcast with four elements a lane: the eight that are compared are two lanes'.
__global__ void __launch_bounds__(256) conditional_broadcast_tuned(float* output, const float* input, int size) {
  const int first = 4 * static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  // The lanes whose elements one warp of conditional_broadcast has, and the first of them.
  const int lanes = warp::size() / 4;
  const int first_lane = warp::lane_id() / lanes * lanes;

  // Elements that do not exist are greater than none.
  const float4 x = warpz::load_four(input, first, size, -INFINITY);
  const auto greater = [](float greatest, float element) { return element > greatest ? element : greatest; };
  float greatest = warp::lane_id() == first_lane ? x.x : greater(-INFINITY, x.x);
  greatest = greater(greater(greater(greatest, x.y), x.z), x.w);
  greatest = greater(greatest, warp::shuffle_down(greatest, 1));
  const float threshold = warp::shuffle_idx(greatest, first_lane) / 2.0f;

  const auto scaled = [threshold](float element) { return element >= threshold ? element * 2.0f : element / 2.0f; };
  warpz::store_four(output, first, size, make_float4(scaled(x.x), scaled(x.y), scaled(x.z), scaled(x.w)));
}

WARPZ_KERNEL(conditional_broadcast_tuned);
