// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the lanes of a warp find out together: votes, matches, which lanes are active; and __syncwarp.
//
// Without a mask all lanes of the warp that the block has take part; with one (of 64 bits, as HIP requires it; in CUDA
// of 32), the lanes it names. Lanes that cannot all arrive, or a caller that its own mask does not name, end the run
// with a finding; by AMD's or NVIDIA's rules some need not come (docs/machine.md). A result has no bit for a lane that
// does not exist. The last parameter, `at`, is never given.
#pragma once

#include "hip/detail/lane_values.h"

SIMT_BOTH_SIDES_BEGIN

// Votes.

/// The lanes whose predicate is not 0.
__device__ __forceinline__ simt::hip::lane_set __ballot(int predicate, simt::site at = simt::hip::here("__ballot")) {
  return simt::hip::ballot(simt::hip::whole_warp, predicate != 0, at);
}

/// __ballot by another name: both have 64 bits.
__device__ __forceinline__ unsigned long long __ballot64(int predicate, simt::site at = simt::hip::here("__ballot64")) {
  return simt::hip::ballot(simt::hip::whole_warp, predicate != 0, at);
}

/// 1 if no lane's predicate is 0, otherwise 0.
__device__ __forceinline__ int __all(int predicate, simt::site at = simt::hip::here("__all")) {
  return simt::hip::all(simt::hip::whole_warp, predicate != 0, at);
}

/// 1 if a lane's predicate is not 0, otherwise 0.
__device__ __forceinline__ int __any(int predicate, simt::site at = simt::hip::here("__any")) {
  return simt::hip::any(simt::hip::whole_warp, predicate != 0, at);
}

/// __ballot among the lanes of `mask`.
template <class _Mask>
__device__ __forceinline__ simt::hip::lane_set __ballot_sync(_Mask mask, int predicate,
                                                             simt::site at = simt::hip::here("__ballot_sync")) {
  return simt::hip::ballot(simt::hip::checked_mask(mask), predicate != 0, at);
}

/// __all among the lanes of `mask`.
template <class _Mask>
__device__ __forceinline__ int __all_sync(_Mask mask, int predicate, simt::site at = simt::hip::here("__all_sync")) {
  return simt::hip::all(simt::hip::checked_mask(mask), predicate != 0, at);
}

/// __any among the lanes of `mask`.
template <class _Mask>
__device__ __forceinline__ int __any_sync(_Mask mask, int predicate, simt::site at = simt::hip::here("__any_sync")) {
  return simt::hip::any(simt::hip::checked_mask(mask), predicate != 0, at);
}

// Matches: numbers are compared with ==, but a NaN matches a NaN of the same bits.

/// The lanes whose value equals the caller's.
template <class _Tp>
__device__ __forceinline__ simt::hip::lane_set __match_any(_Tp value, simt::site at = simt::hip::here("__match_any")) {
  return simt::collect(simt::hip::resolve_match_any, simt::hip::whole_warp, simt::hip::match_word(value), 0,
                       at.typed(simt::value_type_of<_Tp>()));
}

/// All lanes, and *predicate = 1, if their values are all equal; otherwise 0, and *predicate = 0.
template <class _Tp>
__device__ __forceinline__ simt::hip::lane_set __match_all(_Tp value, int* predicate,
                                                           simt::site at = simt::hip::here("__match_all")) {
  const simt::lane_mask same = simt::collect(simt::hip::resolve_match_all, simt::hip::whole_warp,
                                             simt::hip::match_word(value), 0, at.typed(simt::value_type_of<_Tp>()));
  *predicate = same != 0;
  return same;
}

/// __match_any among the lanes of `mask`.
template <class _Mask, class _Tp>
__device__ __forceinline__ simt::hip::lane_set __match_any_sync(_Mask mask, _Tp value,
                                                                simt::site at = simt::hip::here("__match_any_sync")) {
  return simt::collect(simt::hip::resolve_match_any, simt::hip::checked_mask(mask), simt::hip::match_word(value), 0,
                       at.typed(simt::value_type_of<_Tp>()));
}

/// __match_all among the lanes of `mask`.
template <class _Mask, class _Tp>
__device__ __forceinline__ simt::hip::lane_set __match_all_sync(_Mask mask, _Tp value, int* predicate,
                                                                simt::site at = simt::hip::here("__match_all_sync")) {
  const simt::lane_mask same = simt::collect(simt::hip::resolve_match_all, simt::hip::checked_mask(mask),
                                             simt::hip::match_word(value), 0, at.typed(simt::value_type_of<_Tp>()));
  *predicate = same != 0;
  return same;
}

// Lanes.

/// The lanes that are active together with the caller: all that have arrived once no other lane can run on. A lane
/// may call it anywhere.
__device__ __forceinline__ simt::hip::lane_set __activemask(simt::site at = simt::hip::here("__activemask")) {
  return simt::collect_active(simt::hip::resolve_present, 0, 0, at);
}

// CUDA's programs define these names for themselves.
#ifndef __WARPZ_CUDA__

/// The caller's place in its warp, from 0. Threads are numbered with x fastest, then y, then z.
__device__ __forceinline__ unsigned __lane_id() { return simt::running_lane_id(); }

/// The active lanes below the caller.
__device__ __forceinline__ unsigned long long __lanemask_lt(simt::site at = simt::hip::here("__lanemask_lt")) {
  const unsigned long long active = simt::collect_active(simt::hip::resolve_present, 0, 0, at);
  return active & ((1ull << simt::running_lane_id()) - 1);
}

/// The active lanes above the caller.
__device__ __forceinline__ unsigned long long __lanemask_gt(simt::site at = simt::hip::here("__lanemask_gt")) {
  const unsigned long long active = simt::collect_active(simt::hip::resolve_present, 0, 0, at);
  return active & (~1ull << simt::running_lane_id());
}

/// The caller's own bit.
__device__ __forceinline__ unsigned long long __lanemask_eq() { return 1ull << simt::running_lane_id(); }

/// `base` plus the number of bits of `mask` that belong to lanes 0 to 31 below the caller.
__device__ __forceinline__ unsigned __mbcnt_lo(unsigned mask, unsigned base) {
  const unsigned self = simt::running_lane_id();
  const unsigned below = self < 32 ? (1u << self) - 1 : ~0u;
  return static_cast<unsigned>(__builtin_popcount(mask & below)) + base;
}

/// `base` plus the number of bits of `mask` that belong to lanes 32 to 63 below the caller.
__device__ __forceinline__ unsigned __mbcnt_hi(unsigned mask, unsigned base) {
  const unsigned self = simt::running_lane_id();
  const unsigned below = self < 32 ? 0 : (1u << (self - 32)) - 1;
  return static_cast<unsigned>(__builtin_popcount(mask & below)) + base;
}

#endif

// Synchronization.

/// Waits for all lanes of the warp that the block has. What they wrote before it, they all see after it.
__device__ __forceinline__ void __syncwarp(simt::site at = simt::hip::here("__syncwarp")) {
  simt::collect(simt::hip::resolve_sync, simt::hip::checked_mask(~0ull), 0, 0, at);
}

/// Waits for the lanes of `mask`.
template <class _Mask>
__device__ __forceinline__ void __syncwarp(_Mask mask, simt::site at = simt::hip::here("__syncwarp")) {
  simt::collect(simt::hip::resolve_sync, simt::hip::checked_mask(mask), 0, 0, at);
}

SIMT_BOTH_SIDES_END
