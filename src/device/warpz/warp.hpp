// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Communication between the lanes of one warp, by the same names for AMD, NVIDIA and the CPU machine.
//
// Every operation but size(), lane_id() and active_mask() is a collective: all lanes of the warp that the block
// has (or that `mask` names) must reach the same call together. Calling one where only some lanes arrive hangs
// on one vendor, reads garbage on another, and ends with a finding on the CPU machine. So a kernel never
// branches around a collective; lanes without an element take part with a neutral value:
//
//     const float v = i < size ? input[i] : 0.0f;
//     const float next = warpz::warp::shuffle_down(v, 1);
//     if (i < size) output[i] = next - v;
//
// The last parameter, `at`, is never given: it carries the caller's line to the findings.
#pragma once

#include <hip/hip_runtime.h>

#include <type_traits>

#include "warpz/detail/collectives.hpp"
#include "warpz/detail/platform.hpp"
#include "warpz/lane_mask.hpp"
#include "warpz/vendor.hpp"

namespace warpz {
namespace detail {

template <unsigned width>
__host__ __device__ constexpr bool is_segment() {
  return width <= 64 && (width & (width - 1)) == 0;
}

template <class T>
inline constexpr bool is_number =
    std::is_arithmetic_v<T> && !std::is_same_v<T, bool> && (sizeof(T) == 4 || sizeof(T) == 8);

}  // namespace detail

namespace warp {

/// Lanes per warp: 32 or 64. A run-time value; no constant on AMD nor on the CPU machine.
__device__ __forceinline__ int size() { return detail::warp_size(); }

/// The caller's place in its warp, from 0. Threads are numbered with x fastest, then y, then z.
__device__ __forceinline__ int lane_id() { return detail::lane_id(); }

/// The lanes that are here together with the caller. Anybody may call it, in divergent code too; which lanes the
/// hardware brings together there is its own choice.
__device__ __forceinline__ lane_mask active_mask(detail::site at = detail::here("active_mask")) {
  return detail::active_mask(at);
}

/// The value that lane `source` gave, in each lane; lanes may ask for different ones. With a width: lane `source`
/// of the caller's segment of `width` lanes.
///
/// All lanes of `mask` take part. Where the source does not exist (beyond the segment, or the block ends before
/// it) the lane gets its own value back, however large `source` is. A source that exists but is not in `mask`
/// gives an undefined value.
///
/// `v` is of any trivially copyable type; `width` is a power of two, at most the warp size, 0 for the whole warp.
/// Other platforms' names: __shfl (HIP), __shfl_sync (CUDA), warp.shuffle_idx (Mojo).
template <unsigned width = 0, class T>
__device__ __forceinline__ T shuffle_idx(T v, unsigned source, lane_mask mask = full_mask,
                                         detail::site at = detail::here("shuffle_idx")) {
  static_assert(detail::is_segment<width>(), "a segment's width is a power of two, at most 64");
  return detail::shuffle_idx<width>(v, source, mask, at);
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
template <unsigned width = 0, class T>
__device__ __forceinline__ T shuffle_up(T v, unsigned delta, lane_mask mask = full_mask,
                                        detail::site at = detail::here("shuffle_up")) {
  static_assert(detail::is_segment<width>(), "a segment's width is a power of two, at most 64");
  return detail::shuffle_up<width>(v, delta, mask, at);
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
template <unsigned width = 0, class T>
__device__ __forceinline__ T shuffle_down(T v, unsigned delta, lane_mask mask = full_mask,
                                          detail::site at = detail::here("shuffle_down")) {
  static_assert(detail::is_segment<width>(), "a segment's width is a power of two, at most 64");
  return detail::shuffle_down<width>(v, delta, mask, at);
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
template <unsigned width = 0, class T>
__device__ __forceinline__ T shuffle_xor(T v, unsigned bits, lane_mask mask = full_mask,
                                         detail::site at = detail::here("shuffle_xor")) {
  static_assert(detail::is_segment<width>(), "a segment's width is a power of two, at most 64");
  return detail::shuffle_xor<width>(v, bits, mask, at);
}

/// Lane 0's value, in all lanes. All lanes take part; only lane 0's value counts.
/// Other names: warp.broadcast (Mojo).
template <class T>
__device__ __forceinline__ T broadcast(T v, detail::site at = detail::here("broadcast")) {
  return detail::shuffle_idx<0>(v, 0, full_mask, at);
}

/// Lane `source`'s value, in all lanes. All lanes take part and give the same `source`; if that lane does not
/// exist each keeps its own value.
template <class T>
__device__ __forceinline__ T broadcast(T v, unsigned source, detail::site at = detail::here("broadcast")) {
  return detail::shuffle_idx<0>(v, source, full_mask, at);
}

/// The sum of all lanes' values, in all lanes. All lanes take part; lanes that the block lacks add nothing.
///
/// Integers wrap. Floats are added neighbours first, with strides 1, 2, 4, …, and no addition is fused with a
/// multiplication: for one warp size the same values give the same bits on every run and platform. With 32 lanes
/// it may round differently than with 64.
template <class T>
__device__ __forceinline__ T sum(T v, detail::site at = detail::here("sum")) {
  static_assert(detail::is_number<T>, "sum is for 32- and 64-bit integers, float and double");
  return detail::reduce_all(v, detail::plus{}, at);
}

/// The greatest of all lanes' values, in all lanes. All lanes take part; lanes that the block lacks do not count.
///
/// As fmax does it: a NaN counts only if there is nothing else, and the sign of a zero is either's.
template <class T>
__device__ __forceinline__ T max(T v, detail::site at = detail::here("max")) {
  static_assert(detail::is_number<T>, "max is for 32- and 64-bit integers, float and double");
  return detail::reduce_all(v, detail::greater_of{}, at);
}

/// The least of all lanes' values, in all lanes. All lanes take part; lanes that the block lacks do not count.
///
/// As fmin does it: a NaN counts only if there is nothing else, and the sign of a zero is either's.
template <class T>
__device__ __forceinline__ T min(T v, detail::site at = detail::here("min")) {
  static_assert(detail::is_number<T>, "min is for 32- and 64-bit integers, float and double");
  return detail::reduce_all(v, detail::lesser_of{}, at);
}

/// The sum of the values of the lanes up to and including the caller's, in each lane; with `exclusive` the sum of
/// those before it, which is 0 in lane 0:
///
///     lane                   0   1   2   3
///     v                      3   1   4   1
///     prefix_sum(v)          3   4   8   9
///     prefix_sum<true>(v)    0   3   4   8
///
/// All lanes take part. Integers wrap. Floats are added within rows of 16 lanes with strides 1, 2, 4 and 8, then
/// the row before, then the half before; none of these additions is fused with a multiplication, so the bits are
/// the same on every run and platform. The exclusive result is the inclusive one of the lane before.
/// Other names: warp.prefix_sum (Mojo).
template <bool exclusive = false, class T>
__device__ __forceinline__ T prefix_sum(T v, detail::site at = detail::here("prefix_sum")) {
  static_assert(detail::is_number<T>, "prefix_sum is for 32- and 64-bit integers, float and double");
  if constexpr (exclusive) {
    return detail::exclusive_scan(v, detail::plus{}, T{0}, at);
  } else {
    return detail::inclusive_scan(v, detail::plus{}, at);
  }
}

/// The lanes where `holds` is true, in all lanes. All lanes take part; there is no bit for a lane that does not
/// exist. Other names: __ballot (HIP), __ballot_sync (CUDA), warp.vote (Mojo).
__device__ __forceinline__ lane_mask vote(bool holds, detail::site at = detail::here("vote")) {
  return detail::vote(holds, at);
}

/// Whether `holds` is true in at least one lane, in all lanes. All lanes take part.
__device__ __forceinline__ bool any(bool holds, detail::site at = detail::here("any")) {
  return detail::vote(holds, at) != 0;
}

/// Whether `holds` is true in every lane that exists, in all lanes. All lanes take part.
__device__ __forceinline__ bool all(bool holds, detail::site at = detail::here("all")) {
  return detail::vote(!holds, at) == 0;
}

}  // namespace warp
}  // namespace warpz
