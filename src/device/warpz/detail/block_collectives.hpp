// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pass through shared memory that joins warps: how the operations of a block are made of those of a warp.
//
// Those of which every warp reads what all have found, and those of a block of known size (block_known_size.hpp,
// block_raking.hpp), have memory of their own. All others use the same memory in the same rhythm, and so may follow
// each other in any order without a barrier in between:
//
//     write what each warp found | barrier | the first warp reads it, writes the results | barrier | read the results
//
// The next operation writes what each warp found after the second barrier, when nobody reads that any more, and its
// results after its first one, when all have read these.
#pragma once

#include <hip/hip_runtime.h>

#include <type_traits>

#include "warpz/detail/block_known_size.hpp"
#include "warpz/detail/block_raking.hpp"
#include "warpz/detail/block_threads.hpp"
#include "warpz/detail/collectives.hpp"
#include "warpz/detail/existing_lanes.hpp"
#include "warpz/detail/operators.hpp"
#include "warpz/detail/platform.hpp"
#include "warpz/detail/shared_value.hpp"
#include "warpz/detail/sync_platform.hpp"
#include "warpz/warp.hpp"

namespace warpz {
namespace detail {

template <unsigned threads>
__device__ __forceinline__ void require_threads(const site& at) {
  if constexpr (threads != 0) {
    require(blockDim.x == threads && blockDim.y * blockDim.z == 1,
            "the block has as many threads as the call says, all in x", at);
  }
}

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

template <unsigned most, class _Tp>
__device__ __forceinline__ shared_value<_Tp>* shared_results() {
  __shared__ shared_value<_Tp> all[most];
  return all;
}

/// What the warps found, one after the other in the first lanes of every warp, and in those behind them again. A lane
/// that `tells` tells what its warp found. All have read when this returns, so it may be called again.
template <unsigned threads, class _Tp, class _Absent>
__device__ __forceinline__ _Tp results_of_warps(_Tp of_warp, bool tells, _Absent absent, const site& at) {
  constexpr unsigned most = max_warps<threads>;
  shared_value<_Tp>* const all = shared_results<most, _Tp>();
  if (tells) all[warp_in_block<threads>()].set(of_warp);
  whole_block_barrier(at);
  const unsigned place = static_cast<unsigned>(lane_id()) & (most - 1);
  const bool has_warp = place < block_warps<threads>();
  const _Tp found = all[has_warp ? place : 0].get(of_warp);
  block_barrier(at);
  return has_warp ? found : absent(found);
}

/// Reduces each warp, then what the warps found. `absent` makes of the first warp's value what the lanes without a warp
/// bring: something that doesn't count.
template <bool broadcast, unsigned threads, class _Tp, class _Combine, class _Absent>
__device__ __forceinline__ _Tp reduce_block(_Tp v, _Combine combine, _Absent absent, const site& at) {
  require_threads<threads>(at);
  const _Tp of_warp = reduce_all(v, combine, at);
  const unsigned warps = block_warps<threads>();
  if (warps == 1) return of_warp;
  const unsigned warp = warp_in_block<threads>(), lane = static_cast<unsigned>(lane_id());
  if constexpr (reads_all_results<threads>) {
    auto* const all = shared_known_results<max_warps<threads>, _Tp>();
    shared_value<_Tp>* const mine = keep_shared(&all->found.of[warp]);
    // The first warp alone does what takes many instructions: if all did, a full GPU would take longer.
    constexpr bool by_all = broadcast && std::is_integral<_Tp>::value &&
                            (sizeof(_Tp) == sizeof(unsigned) || std::is_same<_Combine, plus>::value);
    if (lane == 0) mine->set(of_warp);
    whole_block_barrier(at);
    _Tp of_block = of_warp;
    if (by_all || warp == 0) {
      _Tp found[max_warps<threads>];
      all->found.read(found);
      of_block = combine_results<max_warps<threads>>(found, combine);
    }
    if (broadcast && !by_all && warp == 0 && lane == 0) all->joined.of[0].set(of_block);
    block_barrier(at);
    return broadcast && !by_all ? all->joined.of[0].get(of_block) : of_block;
  } else if constexpr (joins_in_every_warp<threads>) {
    return reduce_xor<max_warps<threads>, 1>(results_of_warps<threads>(of_warp, lane == 0, absent, at), combine, at);
  } else {
    warp_results<_Tp>& all = shared_warp_results<_Tp>();
    if (lane == 0) all.found[warp].set(of_warp);
    whole_block_barrier(at);
    _Tp of_block = of_warp;
    // The first warp is complete, since there is another.
    if (warp == 0) {
      const _Tp found = all.found[lane < warps ? lane : 0].get(of_warp);
      of_block = reduce_all(lane < warps ? found : absent(found), combine, at);
      if (broadcast && lane == 0) all.result[0].set(of_block);
    }
    block_barrier(at);
    return broadcast ? all.result[0].get(of_block) : of_block;
  }
}

/// The scan of a block where each warp scans what all have found.
template <bool exclusive, unsigned threads, class _Tp>
__device__ __forceinline__ _Tp scan_in_every_warp(_Tp v, const site& at) {
  const _Tp in_warp = warp::prefix_sum(v, at);
  const int lane = lane_id();
  const _Tp found = results_of_warps<threads>(
      in_warp, lane == warp_size() - 1, [](_Tp) { return adds_nothing<_Tp>(); }, at);
  const _Tp up_to_warp = scan_lanes<max_warps<threads>>(found, plus{});
  // All lanes have the same one, which compilers do not see.
  const unsigned warp = warp::broadcast(warp_in_block<threads>(), at), before = (warp - 1) & (max_warps<threads> - 1);
  const _Tp inclusive = warp == 0 ? in_warp : plus{}(read_uniform(up_to_warp, before), in_warp);
  if constexpr (!exclusive) {
    return inclusive;
  } else if constexpr (std::is_integral<_Tp>::value) {
    return exclusive_of<plus>(inclusive, v, _Tp{}, at);
  } else {
    // What the last thread of each warp has, in the same order of additions.
    const _Tp end = plus{}(lane_before(up_to_warp, adds_nothing<_Tp>(), at), found);
    return lane_before(inclusive, warp == 0 ? zero<_Tp>() : read_uniform(end, before), at);
  }
}

/// `any_order`: of floats, too, which of integers makes no difference.
template <bool exclusive, unsigned threads, bool any_order, class _Tp>
__device__ __forceinline__ _Tp scan_block(_Tp v, const site& at) {
  require_threads<threads>(at);
  const unsigned warps = block_warps<threads>();
  if (warps == 1) return warp::prefix_sum<exclusive>(v, at);
  if constexpr (reads_all_results<threads>) {
    constexpr bool is_integer = std::is_integral<_Tp>::value;
    if constexpr (is_integer && sizeof(_Tp) == sizeof(unsigned) && has_short_reduce<_Tp, plus> && !any_order) {
      return scan_by_reading<exclusive, threads>(v, at);
    } else if constexpr (is_integer || (any_order && has_fast_raking<exclusive, _Tp>)) {
      return scan_by_raking<exclusive, threads>(v, at);
    } else {
      return scan_by_first_thread<exclusive, threads>(v, at);
    }
  } else if constexpr (joins_in_every_warp<threads>) {
    return scan_in_every_warp<exclusive, threads>(v, at);
  } else {
    const _Tp in_warp = warp::prefix_sum(v, at);
    warp_results<_Tp>& all = shared_warp_results<_Tp>();
    const unsigned warp = warp_in_block<threads>();
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
}

template <class _Tp>
__device__ __forceinline__ shared_value<_Tp>& shared_broadcast_value() {
  __shared__ shared_value<_Tp> only;
  return only;
}

/// The value is written before the first barrier and read before the second.
template <unsigned threads, class _Tp>
__device__ __forceinline__ _Tp broadcast_in_block(_Tp v, unsigned source, const site& at) {
  require_threads<threads>(at);
  if (block_warps<threads>() == 1) return warp::broadcast(v, source, at);
  if (source >= block_threads<threads>()) return v;
  shared_value<_Tp>& shared = shared_broadcast_value<_Tp>();
  if (thread_in_block<threads>() == source) shared.set(v);
  whole_block_barrier(at);
  const _Tp from_source = shared.get(v);
  block_barrier(at);
  return from_source;
}

}  // namespace detail
}  // namespace warpz
