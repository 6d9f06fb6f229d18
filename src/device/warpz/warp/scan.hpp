// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans of a warp: each lane's value combined with those of the lanes before it. Part of warpz/warp.hpp, which says
// what holds for all of them.
#pragma once

#include <hip/hip_runtime.h>

#include "warpz/detail/collectives.hpp"
#include "warpz/detail/operators.hpp"

namespace warpz {
namespace warp {

/// f over the values of the lanes up to and including the caller's, in each lane; with `exclusive` over those before
/// it, which is `identity` in lane 0:
///
///     lane                          0   1   2   3      f: the greater one, identity: INT_MIN
///     v                             3   1   4   1
///     scan(v, f, identity)          3   3   4   4
///     scan<true>(v, f, identity)  MIN   3   3   4
///
/// All lanes take part. `f(a, b)` is associative; it need not commute, and `a` is always of the lanes before `b`. It is
/// called in any number of lanes at once, so it calls no collective. `identity` counts only in lane 0, and only with
/// `exclusive`.
///
/// Values are combined within rows of 16 lanes with strides 1, 2, 4 and 8, then with the row before, then with the half
/// before, so the bits are the same on every run and platform as long as f's are; the library can't keep the compiler
/// from fusing an addition of f with a multiplication that made `v`, as it does in prefix_sum. The exclusive result is
/// the inclusive one of the lane before. `v` is of any trivially copyable type. Other names: warp.prefix_sum (Mojo;
/// sums only), cub::WarpScan. Each row is scanned as Hillis and Steele do it (Data parallel algorithms, 1986).
template <bool exclusive = false, class _Tp, class _Combine>
__device__ __forceinline__ _Tp scan(_Tp v, _Combine f, _Tp identity, detail::site at = detail::here("scan")) {
  if constexpr (exclusive) {
    return detail::exclusive_scan(v, f, identity, at);
  } else {
    return detail::inclusive_scan(v, f, at);
  }
}

/// The sum of the values of the lanes up to and including the caller's, in each lane; with `exclusive` the sum of
/// those before it, which is 0 in lane 0:
///
///     lane                   0   1   2   3
///     v                      3   1   4   1
///     prefix_sum(v)          3   4   8   9
///     prefix_sum<true>(v)    0   3   4   8
///
/// All lanes take part. Integers wrap. Floats are added in scan's order, each sum rounded to their type, and none of
/// the additions is fused with a multiplication, so the bits are the same on every run and platform. `v` is a number.
/// Other names: warp.prefix_sum (Mojo), cub::WarpScan::InclusiveSum, ExclusiveSum.
template <bool exclusive = false, class _Tp>
__device__ __forceinline__ _Tp prefix_sum(_Tp v, detail::site at = detail::here("prefix_sum")) {
  static_assert(detail::is_number<_Tp>, "prefix_sum is for numbers of 32 and 64 bits, __half and bfloat16");
  if constexpr (exclusive) {
    return detail::exclusive_scan(v, detail::plus{}, _Tp{}, at);
  } else {
    return detail::inclusive_scan(v, detail::plus{}, at);
  }
}

}  // namespace warp
}  // namespace warpz
