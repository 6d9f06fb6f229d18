// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pass through shared memory that joins warps: how the operations of a block are made of those of a warp.
//
// All of them use the same memory in the same rhythm, and so may follow each other in any order without a barrier in
// between:
//
//     write what each warp found | barrier | the first warp reads it, writes the results | barrier | read the results
//
// The next operation writes what each warp found after the second barrier, when nobody reads that any more, and its
// results after its first one, when all have read these.
#pragma once

#include <hip/hip_runtime.h>

#include <type_traits>

#include "warpz/detail/block_threads.hpp"
#include "warpz/detail/collectives.hpp"
#include "warpz/detail/existing_lanes.hpp"
#include "warpz/detail/platform.hpp"
#include "warpz/detail/sync_platform.hpp"
#include "warpz/warp.hpp"

namespace warpz {
namespace detail {

/// A value in shared memory, where nothing is constructed.
template <class _Tp>
struct shared_value {
  alignas(_Tp) unsigned char bytes[sizeof(_Tp)];

  __device__ __forceinline__ void set(const _Tp& v) { __builtin_memcpy(bytes, &v, sizeof(_Tp)); }

  __device__ __forceinline__ _Tp get(_Tp v) const {
    __builtin_memcpy(&v, bytes, sizeof(_Tp));
    return v;
  }
};

/// What the warps of a block tell each other.
template <class _Tp>
struct warp_results {
  shared_value<_Tp> found[max_block_warps];
  shared_value<_Tp> result[max_block_warps];
  shared_value<_Tp> end[max_block_warps];  ///< for exclusive scans: the inclusive result of each warp's last thread
};

template <class _Tp>
__device__ __forceinline__ warp_results<_Tp>& shared_warp_results() {
  __shared__ warp_results<_Tp> all;
  return all;
}

/// x + adds_nothing() has x's bits: 0, of a float the negative one.
template <class _Tp>
__device__ __forceinline__ _Tp adds_nothing() {
  if constexpr (std::is_integral<_Tp>::value) {
    return _Tp{0};
  } else {
    return static_cast<_Tp>(-0.0f);
  }
}

template <class _Tp>
__device__ __forceinline__ _Tp zero() {
  if constexpr (std::is_integral<_Tp>::value) {
    return _Tp{0};
  } else {
    return static_cast<_Tp>(0.0f);
  }
}

/// Reduces each warp, then what the warps found. `absent` makes of the first warp's value what the lanes without a warp
/// bring: something that doesn't count.
template <bool broadcast, class _Tp, class _Reduce, class _Absent>
__device__ __forceinline__ _Tp reduce_block(_Tp v, _Reduce reduce_warp, _Absent absent, const site& at) {
  const _Tp of_warp = reduce_warp(v);
  const unsigned warps = block_warps();
  if (warps == 1) return of_warp;
  warp_results<_Tp>& all = shared_warp_results<_Tp>();
  const unsigned warp = warp_in_block(), lane = static_cast<unsigned>(lane_id());
  if (lane == 0) all.found[warp].set(of_warp);
  whole_block_barrier(at);
  _Tp of_block = of_warp;
  // The first warp is complete, since there is another.
  if (warp == 0) {
    const _Tp found = all.found[lane < warps ? lane : 0].get(of_warp);
    of_block = reduce_warp(lane < warps ? found : absent(found));
    if (broadcast && lane == 0) all.result[0].set(of_block);
  }
  block_barrier(at);
  return broadcast ? all.result[0].get(of_block) : of_block;
}

template <bool exclusive, class _Tp>
__device__ __forceinline__ _Tp scan_block(_Tp v, const site& at) {
  const unsigned warps = block_warps();
  if (warps == 1) return warp::prefix_sum<exclusive>(v, at);
  const _Tp in_warp = warp::prefix_sum(v, at);
  warp_results<_Tp>& all = shared_warp_results<_Tp>();
  const unsigned warp = warp_in_block();
  const int lane = lane_id();
  if (lane == existing_lanes() - 1) all.found[warp].set(in_warp);
  whole_block_barrier(at);
  if (warp == 0) {
    const bool has_warp = static_cast<unsigned>(lane) < warps;
    const _Tp found = all.found[has_warp ? lane : 0].get(in_warp);
    const _Tp up_to_warp = warp::prefix_sum(has_warp ? found : adds_nothing<_Tp>(), at);
    if (has_warp) all.result[lane].set(up_to_warp);
    if constexpr (exclusive) {
      // What the warp's last thread makes of it below, in the same order of additions.
      const _Tp before = warp::shuffle_up(up_to_warp, 1, full_mask, at);
      if (has_warp) all.end[lane].set(lane == 0 ? found : plus{}(before, found));
    }
  }
  block_barrier(at);
  const _Tp inclusive = warp == 0 ? in_warp : plus{}(all.result[warp - 1].get(in_warp), in_warp);
  if constexpr (exclusive) {
    const _Tp before = warp::shuffle_up(inclusive, 1, full_mask, at);
    if (lane != 0) return before;
    return warp == 0 ? zero<_Tp>() : all.end[warp - 1].get(before);
  } else {
    return inclusive;
  }
}

template <class _Tp>
__device__ __forceinline__ shared_value<_Tp>& shared_broadcast_value() {
  __shared__ shared_value<_Tp> only;
  return only;
}

/// The value is written before the first barrier and read before the second.
template <class _Tp>
__device__ __forceinline__ _Tp broadcast_in_block(_Tp v, unsigned source, const site& at) {
  if (block_warps() == 1) return warp::broadcast(v, source, at);
  if (source >= block_threads()) return v;
  shared_value<_Tp>& shared = shared_broadcast_value<_Tp>();
  if (thread_in_block() == source) shared.set(v);
  whole_block_barrier(at);
  const _Tp from_source = shared.get(v);
  block_barrier(at);
  return from_source;
}

}  // namespace detail
}  // namespace warpz
