// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions and scans made of shuffles: the algorithms that every platform shares, and with them the one order
// of summation that makes a float sum the same bits everywhere. Where a vendor has a fast path to the same bits
// (vendor_paths.hpp), it is taken; on the CPU machine lanes meet once for all steps (cpu_collectives.hpp).
//
// No lane is branched around: where a lane has nothing to combine it takes part in the shuffle and drops what it
// got.
#pragma once

#include <type_traits>

#include "warpz/detail/operators.hpp"
#include "warpz/detail/platform.hpp"
#include "warpz/detail/vendor_paths.hpp"

namespace warpz {
namespace detail {

/// Lanes from a group's first to behind its last, of groups of `lanes` lanes that are `stride` apart: no more than
/// the warp. 0 lanes stand for the whole warp.
template <unsigned lanes, unsigned stride>
__device__ __forceinline__ unsigned group_span() {
  const unsigned all = static_cast<unsigned>(warp_size());
  return lanes == 0 || lanes * stride > all ? all : lanes * stride;
}

/// The operation with its operands in the other order.
template <class _Combine>
struct flipped {
  _Combine combine;

  template <class _Tp>
  __device__ __forceinline__ _Tp operator()(_Tp a, _Tp b) const {
    return combine(b, a);
  }
};

// Below.
template <unsigned lanes, unsigned stride, class _Tp, class _Combine>
__device__ __forceinline__ _Tp reduce_down(_Tp v, _Combine combine, const site& at);

/// Combines the values of each group, neighbors first; the result is in all its lanes. One group of the warp's size:
///
///     lane        0     1     2     3     4  (the last one)
///     step 1      01    01    23    23    4
///     step 2      0123  0123  0123  0123  4
///     step 4      01234 in all
///
/// Before a step all lanes of a part of the group hold the same, so the part's first lane speaks for it: it exists if
/// any lane of the part does.
template <unsigned lanes, unsigned stride, class _Tp, class _Combine>
__device__ __forceinline__ _Tp reduce_xor(_Tp v, _Combine combine, const site& at) {
  if constexpr (meets_once<_Tp, _Combine>) {
    if (!records_steps()) return reduce_at_once<lanes, stride>(v, combine, at);
  }
  if constexpr (has_short_groups<lanes, stride, _Tp, _Combine>) return short_groups<lanes>(v, combine);
  const unsigned lane = static_cast<unsigned>(lane_id());
  if constexpr (reduces_by_butterfly) {
    // All lanes exist, and the partner holds what the first lane of its part holds.
    for (unsigned step = stride; step < group_span<lanes, stride>(); step *= 2) {
      const _Tp other = short_xor<0>(v, step, full_mask, at);
      v = commutes<_Combine> || (lane & step) == 0 ? combine(v, other) : combine(other, v);
    }
    return v;
  }
  if constexpr (!commutes<_Combine> && reduces_down_for_all<_Tp>) {
    // A group's first lane exists if any of it does.
    const unsigned first = (lane & ~(group_span<lanes, stride>() - 1)) + (lane & (stride - 1));
    return fetch(reduce_down<lanes, stride>(v, combine, at), first, at);
  }
  if constexpr (!reduces_by_butterfly && adds_in_words<_Tp, _Combine>) {
    return from_word(reduce_xor<lanes, stride>(in_word(v), combine, at));
  }
  const unsigned joined = joined_lanes(at);
  for (unsigned step = stride; step < group_span<lanes, stride>(); step *= 2) {
    // Step and stride are powers of two, so their difference has the bits that tell lanes of one part apart.
    const unsigned partners = (lane ^ step) & ~(step - stride);
    if constexpr (combines_with_itself<_Combine>) {
      v = combine(v, fetch(v, partners < joined ? partners : lane, at));
      continue;
    }
    const _Tp other = fetch(v, partners, at);
    if constexpr (commutes<_Combine>) {
      v = combine_if(partners < joined, other, v, combine);
    } else if (partners < joined) {
      // Operands in the order of their lanes.
      v = (lane & step) == 0 ? combine(v, other) : combine(other, v);
    }
  }
  return v;
}

/// Combines the value of each lane with those of the lanes of its group above it; the first lane's result is the same
/// as reduce_xor's, with half as many combinations that matter.
template <unsigned lanes, unsigned stride, class _Tp, class _Combine>
__device__ __forceinline__ _Tp reduce_down(_Tp v, _Combine combine, const site& at) {
  const unsigned lane = static_cast<unsigned>(lane_id()), joined = joined_lanes(at);
  const unsigned span = group_span<lanes, stride>(), place = lane & (span - 1);
  for (unsigned step = stride; step < span; step *= 2) {
    const _Tp other = fetch_above(v, step, at);
    v = combine_if(place + step < span && lane + step < joined, other, v, flipped<_Combine>{combine});
  }
  return v;
}

/// Combines the value of each lane with those of the lanes of its group below it.
template <unsigned lanes, unsigned stride, class _Tp, class _Combine>
__device__ __forceinline__ _Tp reduce_up(_Tp v, _Combine combine, const site& at) {
  const unsigned lane = static_cast<unsigned>(lane_id());
  const unsigned span = group_span<lanes, stride>(), place = lane & (span - 1);
  for (unsigned step = stride; step < span; step *= 2) {
    const _Tp other = fetch_below(v, step, at);
    v = combine_if(place >= step, other, v, combine);
  }
  return v;
}

/// Combines the values of all lanes; the result is in all of them.
template <class _Tp, class _Combine>
__device__ __forceinline__ _Tp reduce_all(_Tp v, _Combine combine, [[maybe_unused]] const site& at) {
  if constexpr (std::is_same<_Tp, bool>::value) {
    // The greater of bools is whether any is true.
    return std::is_same<_Combine, max_operation>::value ? vote(v, at) != 0 : vote(!v, at) == 0;
  } else if constexpr (has_short_reduce<_Tp, _Combine>) {
    return short_reduce(v, combine);
  } else {
    return reduce_xor<0, 1>(v, combine, at);
  }
}

/// Lanes that are scanned together before the rows are joined: the row of AMD's data-parallel primitives.
inline constexpr unsigned row_lanes = 16;

/// Combines the values of all lanes up to and including the caller's: within rows of 16 with strides 1, 2, 4 and
/// 8, then with the row before (in the odd rows), then with the half before (in the upper half of 64 lanes).
template <class _Tp, class _Combine>
__device__ __forceinline__ _Tp inclusive_scan(_Tp v, _Combine combine, [[maybe_unused]] const site& at) {
  if constexpr (meets_once<_Tp, _Combine>) {
    if (!records_steps()) return scan_at_once<row_lanes>(v, combine, at);
  }
  if constexpr (has_short_scan<_Tp, _Combine>) {
    return short_scan(v, combine);
  } else {
    const unsigned lane = static_cast<unsigned>(lane_id());
    for (unsigned stride = 1; stride < row_lanes; stride *= 2) {
      const _Tp before = fetch(v, lane - stride, at);
      if ((lane & (row_lanes - 1)) >= stride) v = combine(before, v);
    }
    for (unsigned part = row_lanes; part < static_cast<unsigned>(warp_size()); part *= 2) {
      // In lanes that have no part before them this is no lane, or one whose value they drop.
      const unsigned last_of_part_before = (lane & ~(part - 1)) - 1;
      const _Tp before = fetch(v, last_of_part_before, at);
      if ((lane & part) != 0) v = combine(before, v);
    }
    return v;
  }
}

/// Makes an exclusive scan's result of the inclusive one's and the lane's value: the inclusive one of the lane before;
/// `identity` in lane 0.
template <class _Combine, class _Tp>
__device__ __forceinline__ _Tp exclusive_of(_Tp inclusive, [[maybe_unused]] _Tp v, [[maybe_unused]] _Tp identity,
                                            [[maybe_unused]] const site& at) {
  if constexpr (std::is_integral<_Tp>::value && std::is_same<_Combine, plus>::value) {
    // Integers wrap, so what was added can be taken away; the identity is 0.
    using word = std::make_unsigned_t<_Tp>;
    return static_cast<_Tp>(static_cast<word>(inclusive) - static_cast<word>(v));
  } else {
    return lane_before(inclusive, identity, at);
  }
}

template <class _Tp, class _Combine>
__device__ __forceinline__ _Tp exclusive_scan(_Tp v, _Combine combine, _Tp identity, [[maybe_unused]] const site& at) {
  if constexpr (meets_once<_Tp, _Combine> && !std::is_integral<_Tp>::value) {
    if (!records_steps()) {
      const _Tp before = scan_before_at_once<row_lanes>(v, combine, at);
      return lane_id() == 0 ? identity : before;
    }
  }
  if constexpr (has_short_exclusive_scan<_Tp, _Combine>) {
    return short_exclusive_scan(v, combine, identity);
  } else {
    return exclusive_of<_Combine>(inclusive_scan(v, combine, at), v, identity, at);
  }
}

}  // namespace detail
}  // namespace warpz
