// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warpz/kernel.hpp"
#include "warpz/vector_access.hpp"

namespace warp = warpz::warp;

/// The same as warp_inclusive_prefix_sum with four elements a lane: each lane adds its own, the totals of the lanes are
/// scanned, and each lane adds what comes before it.
///
///     lane      0                     1                           2
///     x         a  b    c     d       e  f    g     h             …
///     sums      a  a+b  a+b+c a+…+d   e  e+f  e+f+g e+…+h         …
///     before    0                     a+…+d                       a+…+h
__global__ void __launch_bounds__(256) warp_inclusive_prefix_sum_tuned(float* output, const float* input, int size) {
  const int first = 4 * static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  // The lanes whose elements one warp of warp_inclusive_prefix_sum has, and the caller's place among them.
  const int lanes = warp::size() / 4;
  const int place = warp::lane_id() % lanes;

  // Elements that do not exist add a 0.
  float4 sums = warpz::load_four(input, first, size, 0.0f);
  sums.y += sums.x;
  sums.z += sums.y;
  sums.w += sums.z;

  float total = sums.w;
  for (int offset = 1; offset < lanes; offset *= 2) {
    const float earlier = warp::shuffle_up(total, offset);
    if (place >= offset) total += earlier;
  }
  const float earlier = warp::shuffle_up(total, 1);
  const float before = place > 0 ? earlier : 0.0f;

  warpz::store_four(output, first, size,
                    make_float4(before + sums.x, before + sums.y, before + sums.z, before + sums.w));
}

WARPZ_KERNEL(warp_inclusive_prefix_sum_tuned);
