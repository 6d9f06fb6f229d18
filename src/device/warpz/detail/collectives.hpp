// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions and scans made of shuffles: the algorithms that every platform shares, and with them the one order
// of summation that makes a float sum the same bits everywhere.
//
// No lane is branched around: where a lane has nothing to combine it takes part in the shuffle and drops what it
// got.
#pragma once

#include "warpz/detail/platform.hpp"
#include "warpz/lane_mask.hpp"

namespace warpz {
namespace detail {

/// Lanes of the caller's warp that the block has: lanes 0 to this. Fewer than the warp size where the block ends
/// within the warp.
__device__ inline int existing_lanes() {
  const int threads = static_cast<int>(blockDim.x * blockDim.y * blockDim.z);
  const int thread = static_cast<int>(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z));
  const int from_here = threads - (thread - lane_id());
  return from_here < warp_size() ? from_here : warp_size();
}

/// Combines the values of all lanes, neighbours first; the result is in all lanes.
///
///     lane        0     1     2     3     4  (the last one)
///     stride 1    01    01    23    23    4
///     stride 2    0123  0123  0123  0123  4
///     stride 4    01234 in all
///
/// After each step all lanes of a group of `stride` hold the same, so the group's first lane speaks for it: it
/// exists if any lane of the group does.
template <class T, class Combine>
__device__ __forceinline__ T reduce_all(T v, Combine combine, const site& at) {
  const int existing = existing_lanes();
  for (int stride = 1; stride < warp_size(); stride *= 2) {
    const int partners = (lane_id() ^ stride) & -stride;
    const T other = shuffle_idx<0>(v, static_cast<unsigned>(partners), full_mask, at);
    if (partners < existing) v = combine(v, other);
  }
  return v;
}

/// Lanes that are scanned together before the rows are joined: the row of AMD's data-parallel primitives.
inline constexpr int row_lanes = 16;

/// Combines the values of all lanes up to and including the caller's: within rows of 16 with strides 1, 2, 4 and
/// 8, then with the row before (in the odd rows), then with the half before (in the upper half of 64 lanes).
template <class T, class Combine>
__device__ __forceinline__ T inclusive_scan(T v, Combine combine, const site& at) {
  const int lane = lane_id();
  for (int stride = 1; stride < row_lanes; stride *= 2) {
    const T before = shuffle_up<row_lanes>(v, static_cast<unsigned>(stride), full_mask, at);
    if ((lane & (row_lanes - 1)) >= stride) v = combine(before, v);
  }
  for (int part = row_lanes; part < warp_size(); part *= 2) {
    const int last_of_part_before = (lane & -part) - 1;
    const T before = shuffle_idx<0>(v, static_cast<unsigned>(last_of_part_before), full_mask, at);
    if ((lane & part) != 0) v = combine(before, v);
  }
  return v;
}

/// The inclusive scan of the lane before; `identity` in lane 0.
template <class T, class Combine>
__device__ __forceinline__ T exclusive_scan(T v, Combine combine, T identity, const site& at) {
  const T before = shuffle_up<0>(inclusive_scan(v, combine, at), 1, full_mask, at);
  return lane_id() == 0 ? identity : before;
}

struct plus {
  template <class T>
  __device__ T operator()(T a, T b) const {
    return add(a, b);
  }
};

struct greater_of {
  template <class T>
  __device__ T operator()(T a, T b) const {
    return maximum(a, b);
  }
};

struct lesser_of {
  template <class T>
  __device__ T operator()(T a, T b) const {
    return minimum(a, b);
  }
};

}  // namespace detail
}  // namespace warpz
