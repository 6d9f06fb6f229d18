// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Questions that all lanes answer together: votes, which lanes have the same value, and where a lane's value goes.
// Part of warpz/warp.hpp, which says what holds for all of them.
#pragma once

#include <hip/hip_runtime.h>

#include <type_traits>

#include "warpz/detail/platform.hpp"
#include "warpz/detail/vendor_paths.hpp"
#include "warpz/lane_mask.hpp"

namespace warpz {
namespace warp {

/// The lanes where `holds` is true, in all lanes. All lanes take part; there is no bit for a lane that does not
/// exist. Other names: __ballot (HIP), __ballot_sync (CUDA), warp.vote (Mojo).
__device__ __forceinline__ lane_mask vote(bool holds, detail::site at = detail::here("vote")) {
  return detail::vote(holds, at);
}

/// Whether `holds` is true in at least one lane, in all lanes. All lanes take part.
/// Other names: __any (HIP), __any_sync (CUDA).
__device__ __forceinline__ bool any(bool holds, detail::site at = detail::here("any")) {
  return detail::short_any(holds, at);
}

/// Whether `holds` is true in every lane that exists, in all lanes. All lanes take part.
/// Other names: __all (HIP), __all_sync (CUDA).
__device__ __forceinline__ bool all(bool holds, detail::site at = detail::here("all")) {
  return detail::short_all(holds, at);
}

/// The lanes whose value has the same bits as the caller's, itself among them. All lanes take part.
///
///     lane            0      1      2      3
///     v               5      7      5      5
///     match_any(v)    1101   0010   1101   1101      lane 3's bit first
///
/// Bits are compared: 0.0 and -0.0 differ, a NaN is equal to one with the same bits, and a struct's padding counts.
/// `v` is of any trivially copyable type. Where the hardware does not do it, it takes one round for each value there
/// is. Other names: __match_any_sync, __match_any (CUDA, HIP 6).
template <class _Tp>
__device__ __forceinline__ lane_mask match_any(_Tp v, detail::site at = detail::here("match_any")) {
  return detail::short_match_any(v, at);
}

/// All lanes that exist if every one's value has the same bits, else none (0); in all lanes. All lanes take part. Types
/// and bits as in match_any. Other names: __match_all_sync, __match_all (CUDA, HIP 6).
template <class _Tp>
__device__ __forceinline__ lane_mask match_all(_Tp v, detail::site at = detail::here("match_all")) {
  return detail::short_match_all(v, at);
}

/// Where the lane's value goes when those with `p` come first and the others behind them, both in their order: the
/// number of a place from 0, another one in each lane.
///
///     lane               0   1   2   3   4
///     v                  3   9   1   7   2
///     partition(v, [](int x) { return x < 5; })
///                        0   3   1   4   2      so that output[place] = v makes 3 1 2 9 7
///
/// All lanes take part. `p` is a predicate of `v`, or what it says already, a bool. The places of a warp that the block
/// cuts short are 0 to the number of its lanes, less one. `v` is of any type; only `p` looks at it.
/// A vote and two population counts. Other names: split (Blelloch, Prefix sums and their applications, 1990).
template <class _Tp, class _Predicate>
__device__ __forceinline__ int partition([[maybe_unused]] _Tp v, _Predicate p,
                                         detail::site at = detail::here("partition")) {
  bool first = false;
  if constexpr (std::is_convertible<_Predicate, bool>::value && !std::is_class<_Predicate>::value) {
    first = static_cast<bool>(p);
  } else {
    first = p(v);
  }
  const lane_mask firsts = detail::vote(first, at);
  const int lane = detail::lane_id();
  const lane_mask below = (lane_mask{1} << lane) - 1;
  const int firsts_below = static_cast<int>(__popcll(firsts & below));
  return first ? firsts_below : static_cast<int>(__popcll(firsts)) + lane - firsts_below;
}

}  // namespace warp
}  // namespace warpz
