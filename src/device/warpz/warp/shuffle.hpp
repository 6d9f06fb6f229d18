// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Moving values between lanes: the four shuffles and the broadcasts. Part of warpz/warp.hpp, which says what holds for
// all of them.
#pragma once

#include <hip/hip_runtime.h>

#include "warpz/detail/platform.hpp"
#include "warpz/detail/vendor_paths.hpp"
#include "warpz/lane_mask.hpp"

namespace warpz {
namespace detail {

template <unsigned width>
__host__ __device__ constexpr bool is_segment() {
  return width <= 64 && (width & (width - 1)) == 0;
}

}  // namespace detail

namespace warp {

/// The value that lane `source` gave, in each lane; lanes may ask for different ones. With a width: lane `source`
/// of the caller's segment of `width` lanes.
///
/// All lanes of `mask` take part. Where the source does not exist (beyond the segment, or the block ends before
/// it) the lane gets its own value back, however large `source` is. A source that exists but is not in `mask`
/// gives an undefined value.
///
/// `v` is of any trivially copyable type; `width` is a power of two, at most the warp size, 0 for the whole warp.
/// Other names: __shfl (HIP), __shfl_sync (CUDA), warp.shuffle_idx (Mojo).
template <unsigned width = 0, class _Tp>
__device__ __forceinline__ _Tp shuffle_idx(_Tp v, unsigned source, lane_mask mask = full_mask,
                                           detail::site at = detail::here("shuffle_idx")) {
  static_assert(detail::is_segment<width>(), "a segment's width is a power of two, at most 64");
  return detail::short_idx<width>(v, source, mask, at);
}

/// The value of the lane `delta` below, in each lane:
///
///     lane                0   1   2   3
///     v                   a   b   c   d
///     shuffle_up(v, 1)    a   a   b   c      lane 0 keeps its own
///
/// All lanes of `mask` take part. The lowest `delta` lanes of the warp (of each segment of `width` lanes) get
/// their own value back, however large `delta` is. A source that is not in `mask` gives an undefined value.
/// Types and width as in shuffle_idx. Other names: __shfl_up, __shfl_up_sync, warp.shuffle_up.
template <unsigned width = 0, class _Tp>
__device__ __forceinline__ _Tp shuffle_up(_Tp v, unsigned delta, lane_mask mask = full_mask,
                                          detail::site at = detail::here("shuffle_up")) {
  static_assert(detail::is_segment<width>(), "a segment's width is a power of two, at most 64");
  return detail::short_up<width>(v, delta, mask, at);
}

/// The value of the lane `delta` above, in each lane:
///
///     lane                  0   1   2   3
///     v                     a   b   c   d
///     shuffle_down(v, 1)    b   c   d   d      the last lane keeps its own
///
/// All lanes of `mask` take part. The highest `delta` lanes of the warp (of each segment of `width` lanes, of a
/// warp that the block cuts short) get their own value back, however large `delta` is. A source that is not in
/// `mask` gives an undefined value. Types and width as in shuffle_idx. Other names: __shfl_down,
/// __shfl_down_sync, warp.shuffle_down.
template <unsigned width = 0, class _Tp>
__device__ __forceinline__ _Tp shuffle_down(_Tp v, unsigned delta, lane_mask mask = full_mask,
                                            detail::site at = detail::here("shuffle_down")) {
  static_assert(detail::is_segment<width>(), "a segment's width is a power of two, at most 64");
  return detail::short_down<width>(v, delta, mask, at);
}

/// The value of lane `lane_id() ^ bits`, in each lane: partners swap.
///
///     lane                 0   1   2   3
///     v                    a   b   c   d
///     shuffle_xor(v, 1)    b   a   d   c
///     shuffle_xor(v, 2)    c   d   a   b
///
/// All lanes of `mask` take part. A lane whose partner does not exist (beyond the segment, or the block ends
/// before it) gets its own value back, however large `bits` is. A partner that is not in `mask` gives an
/// undefined value. Types and width as in shuffle_idx. Other names: __shfl_xor, __shfl_xor_sync,
/// warp.shuffle_xor.
template <unsigned width = 0, class _Tp>
__device__ __forceinline__ _Tp shuffle_xor(_Tp v, unsigned bits, lane_mask mask = full_mask,
                                           detail::site at = detail::here("shuffle_xor")) {
  static_assert(detail::is_segment<width>(), "a segment's width is a power of two, at most 64");
  return detail::short_xor<width>(v, bits, mask, at);
}

/// Lane 0's value, in all lanes. All lanes take part; only lane 0's value counts. Types as in shuffle_idx.
/// Other names: warp.broadcast (Mojo), __shfl(v, 0), __shfl_sync(mask, v, 0).
template <class _Tp>
__device__ __forceinline__ _Tp broadcast(_Tp v, detail::site at = detail::here("broadcast")) {
  return detail::broadcast(v, at);
}

/// Lane `source`'s value, in all lanes. All lanes take part and give the same `source`; lanes that give different ones
/// get a value that is undefined (shuffle_idx is for that). If that lane does not exist each keeps its own value,
/// however large `source` is. Types as in shuffle_idx. Other names: __shfl(v, source), __shfl_sync(mask, v, source).
template <class _Tp>
__device__ __forceinline__ _Tp broadcast(_Tp v, unsigned source, detail::site at = detail::here("broadcast")) {
  return detail::broadcast(v, source, at);
}

}  // namespace warp
}  // namespace warpz
