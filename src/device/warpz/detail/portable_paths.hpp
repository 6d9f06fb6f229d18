// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// No fast paths: everything by shuffles (vendor_paths.hpp).
#pragma once

#include <hip/hip_runtime.h>

#include "warpz/detail/amd_collectives_elsewhere.hpp"
#ifdef __WARPZ_CPU__
#include "warpz/detail/cpu_collectives.hpp"
#endif
#include "warpz/detail/match_bits.hpp"
#include "warpz/detail/platform.hpp"
#include "warpz/lane_mask.hpp"

namespace warpz {
namespace detail {

template <class _Tp>
__device__ __forceinline__ _Tp broadcast(_Tp v, const site& at) {
  return shuffle_idx<0>(v, 0, full_mask, at);
}

template <class _Tp>
__device__ __forceinline__ _Tp broadcast(_Tp v, unsigned source, const site& at) {
  return shuffle_idx<0>(v, source, full_mask, at);
}

template <unsigned width, class _Tp>
__device__ __forceinline__ _Tp short_idx(_Tp v, unsigned source, lane_mask mask, const site& at) {
  return shuffle_idx<width>(v, source, mask, at);
}

template <unsigned width, class _Tp>
__device__ __forceinline__ _Tp short_xor(_Tp v, unsigned bits, lane_mask mask, const site& at) {
  return shuffle_xor<width>(v, bits, mask, at);
}

template <unsigned width, class _Tp>
__device__ __forceinline__ _Tp short_up(_Tp v, unsigned delta, lane_mask mask, const site& at) {
  return shuffle_up<width>(v, delta, mask, at);
}

template <unsigned width, class _Tp>
__device__ __forceinline__ _Tp short_down(_Tp v, unsigned delta, lane_mask mask, const site& at) {
  return shuffle_down<width>(v, delta, mask, at);
}

template <class _Tp>
__device__ __forceinline__ _Tp fetch_above(_Tp v, unsigned distance, const site& at) {
  return fetch(v, static_cast<unsigned>(lane_id()) + distance, at);
}

template <class _Tp>
__device__ __forceinline__ _Tp fetch_below(_Tp v, unsigned distance, const site& at) {
  return fetch(v, static_cast<unsigned>(lane_id()) - distance, at);
}

template <class _Tp, class _Combine>
__device__ __forceinline__ _Tp combine_if(bool combines, _Tp other, _Tp v, _Combine combine) {
  if (combines) v = combine(other, v);
  return v;
}

__device__ __forceinline__ bool short_any(bool holds, const site& at) { return vote(holds, at) != 0; }

__device__ __forceinline__ bool short_all(bool holds, const site& at) { return vote(!holds, at) == 0; }

template <class _Tp>
__device__ __forceinline__ lane_mask short_match_any(_Tp v, const site& at) {
  return match_any(v, at);
}

template <class _Tp>
__device__ __forceinline__ lane_mask short_match_all(_Tp v, const site& at) {
  return match_all(v, at);
}

inline constexpr bool reduces_by_butterfly = false;

template <class _Tp>
inline constexpr bool reduces_down_for_all = false;

template <class _Tp, class _Combine>
inline constexpr bool adds_in_words = false;

template <class _Combine>
inline constexpr bool combines_with_itself = false;

template <class _Tp, class _Combine>
inline constexpr bool has_short_exclusive_scan = false;

template <class _Tp, class _Combine>
inline constexpr bool has_short_reduce = false;

template <class _Tp, class _Combine>
inline constexpr bool has_short_scan = false;

template <class _Tp>
__device__ __forceinline__ _Tp lane_before(_Tp v, _Tp first, const site& at) {
  const unsigned lane = static_cast<unsigned>(lane_id());
  const _Tp before = fetch(v, lane - 1, at);
  return lane == 0 ? first : before;
}

template <unsigned threads>
inline constexpr bool reads_all_results = false;

}  // namespace detail
}  // namespace warpz
