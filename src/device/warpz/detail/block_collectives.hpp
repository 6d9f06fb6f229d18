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
template <class T>
struct shared_value {
  alignas(T) unsigned char bytes[sizeof(T)];

  __device__ __forceinline__ void set(const T& v) { __builtin_memcpy(bytes, &v, sizeof(T)); }

  __device__ __forceinline__ T get(T v) const {
    __builtin_memcpy(&v, bytes, sizeof(T));
    return v;
  }
};

/// What the warps of a block tell each other.
template <class T>
struct warp_results {
  shared_value<T> found[max_block_warps];
  shared_value<T> result[max_block_warps];
  shared_value<T> end[max_block_warps];  ///< for exclusive scans: the inclusive result of each warp's last thread
};

template <class T>
__device__ __forceinline__ warp_results<T>& shared_warp_results() {
  __shared__ warp_results<T> all;
  return all;
}

/// x + adds_nothing() has x's bits: 0, of a float the negative one.
template <class T>
__device__ __forceinline__ T adds_nothing() {
  if constexpr (std::is_integral<T>::value) {
    return T{0};
  } else {
    return static_cast<T>(-0.0f);
  }
}

template <class T>
__device__ __forceinline__ T zero() {
  if constexpr (std::is_integral<T>::value) {
    return T{0};
  } else {
    return static_cast<T>(0.0f);
  }
}

/// Reduces each warp, then what the warps found. `absent` makes of the first warp's value what the lanes without a warp
/// bring: something that doesn't count.
template <bool broadcast, class T, class Reduce, class Absent>
__device__ __forceinline__ T reduce_block(T v, Reduce reduce_warp, Absent absent, const site& at) {
  const T of_warp = reduce_warp(v);
  const unsigned warps = block_warps();
  if (warps == 1) return of_warp;
  warp_results<T>& all = shared_warp_results<T>();
  const unsigned warp = warp_in_block(), lane = static_cast<unsigned>(lane_id());
  if (lane == 0) all.found[warp].set(of_warp);
  whole_block_barrier(at);
  T of_block = of_warp;
  // The first warp is complete, since there is another.
  if (warp == 0) {
    const T found = all.found[lane < warps ? lane : 0].get(of_warp);
    of_block = reduce_warp(lane < warps ? found : absent(found));
    if (broadcast && lane == 0) all.result[0].set(of_block);
  }
  block_barrier(at);
  return broadcast ? all.result[0].get(of_block) : of_block;
}

template <bool exclusive, class T>
__device__ __forceinline__ T scan_block(T v, const site& at) {
  const unsigned warps = block_warps();
  if (warps == 1) return warp::prefix_sum<exclusive>(v, at);
  const T in_warp = warp::prefix_sum(v, at);
  warp_results<T>& all = shared_warp_results<T>();
  const unsigned warp = warp_in_block();
  const int lane = lane_id();
  if (lane == existing_lanes() - 1) all.found[warp].set(in_warp);
  whole_block_barrier(at);
  if (warp == 0) {
    const bool has_warp = static_cast<unsigned>(lane) < warps;
    const T found = all.found[has_warp ? lane : 0].get(in_warp);
    const T up_to_warp = warp::prefix_sum(has_warp ? found : adds_nothing<T>(), at);
    if (has_warp) all.result[lane].set(up_to_warp);
    if constexpr (exclusive) {
      // What the warp's last thread makes of it below, in the same order of additions.
      const T before = warp::shuffle_up(up_to_warp, 1, full_mask, at);
      if (has_warp) all.end[lane].set(lane == 0 ? found : plus{}(before, found));
    }
  }
  block_barrier(at);
  const T inclusive = warp == 0 ? in_warp : plus{}(all.result[warp - 1].get(in_warp), in_warp);
  if constexpr (exclusive) {
    const T before = warp::shuffle_up(inclusive, 1, full_mask, at);
    if (lane != 0) return before;
    return warp == 0 ? zero<T>() : all.end[warp - 1].get(before);
  } else {
    return inclusive;
  }
}

template <class T>
__device__ __forceinline__ shared_value<T>& shared_broadcast_value() {
  __shared__ shared_value<T> only;
  return only;
}

/// The value is written before the first barrier and read before the second.
template <class T>
__device__ __forceinline__ T broadcast_in_block(T v, unsigned source, const site& at) {
  if (block_warps() == 1) return warp::broadcast(v, source, at);
  if (source >= block_threads()) return v;
  shared_value<T>& shared = shared_broadcast_value<T>();
  if (thread_in_block() == source) shared.set(v);
  whole_block_barrier(at);
  const T from_source = shared.get(v);
  block_barrier(at);
  return from_source;
}

}  // namespace detail
}  // namespace warpz
