// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How warps are joined in a block whose number of threads the call says, where threads had better read by themselves
// what all warps have found (vendor_paths.hpp says where: on NVIDIA).
#pragma once

#include <hip/hip_runtime.h>

#include <type_traits>

#include "warpz/detail/block_threads.hpp"
#include "warpz/detail/collectives.hpp"
#include "warpz/detail/operators.hpp"
#include "warpz/detail/platform.hpp"
#include "warpz/detail/shared_value.hpp"
#include "warpz/detail/sync_platform.hpp"
#include "warpz/detail/unroll.hpp"
#include "warpz/warp.hpp"

namespace warpz {
namespace detail {

/// What the warps of a block of known size tell each other.
template <unsigned warps, class _Tp>
struct known_results {
  shared_values<warps, _Tp> found;
  shared_values<warps, _Tp> joined;  ///< scans: the inclusive one of those found; reductions: of[0] is the block's
};

/// Kept, since to find shared memory takes as long as to read it.
template <unsigned warps, class _Tp>
__device__ __forceinline__ known_results<warps, _Tp>* shared_known_results() {
  __shared__ known_results<warps, _Tp> all;
  return keep_shared(&all);
}

/// Combines neighbors first, as reduce_xor does. `count` is a power of two.
template <unsigned count, class _Tp, class _Combine>
__device__ __forceinline__ _Tp combine_results(const _Tp* found, _Combine combine) {
  if constexpr (count == 1) {
    return *found;
  } else {
    return combine(combine_results<count / 2>(found, combine), combine_results<count / 2>(found + count / 2, combine));
  }
}

/// One thread scans what the warps found, in the order in which a warp scans.
template <unsigned warps, class _Tp>
__device__ __forceinline__ void scan_results(known_results<warps, _Tp>* all, _Tp any) {
  if constexpr (sizeof(_Tp) == 2) {
    // Two of them in a word at once.
    unsigned word[warps / 2];
    __builtin_memcpy(word, &all->found, sizeof word);
    unsigned before = word_of_half(adds_nothing<_Tp>());
    WARPZ_UNROLL
    for (unsigned& each : word) {
      const unsigned own = each;
      each = add_halves(before >> 16 | own << 16, own, any);
      before = own;
    }
    WARPZ_UNROLL
    for (unsigned stride = 1; stride < warps / 2; stride *= 2) {
      WARPZ_UNROLL
      for (unsigned i = warps / 2 - 1; i >= stride; --i) word[i] = add_halves(word[i - stride], word[i], any);
    }
    __builtin_memcpy(&all->joined, word, sizeof word);
  } else {
    _Tp scanned[warps];
    all->found.read(scanned);
    WARPZ_UNROLL
    for (unsigned stride = 1; stride < warps; stride *= 2) {
      WARPZ_UNROLL
      for (unsigned i = warps - 2; i >= stride; --i) scanned[i] = plus{}(scanned[i - stride], scanned[i]);
    }
    all->joined.write(scanned);
  }
}

/// The scan of integers of 32 bits: each warp adds up what the warps before it have found.
template <bool exclusive, unsigned threads, class _Tp>
__device__ __forceinline__ _Tp scan_by_reading(_Tp v, const site& at) {
  auto* const all = shared_known_results<max_warps<threads>, _Tp>();
  const unsigned warp = warp_in_block<threads>(), lane = static_cast<unsigned>(lane_id());
  const bool comes_before = lane < warp;
  shared_value<_Tp>* const mine = keep_shared(&all->found.of[warp]);
  const shared_value<_Tp>* const other = keep_shared(&all->found.of[comes_before ? lane : 0]);
  const _Tp in_warp = warp::prefix_sum(v, at);
  if (lane == static_cast<unsigned>(warp_size()) - 1) mine->set(in_warp);
  whole_block_barrier(at);
  const _Tp before = reduce_all(comes_before ? other->get(v) : _Tp{}, plus{}, at);
  block_barrier(at);
  const _Tp inclusive = plus{}(before, in_warp);
  return exclusive ? exclusive_of<plus>(inclusive, v, _Tp{}, at) : inclusive;
}

/// The scan of floats in the order of a block of any size: the first thread adds up what the warps have found. In an
/// exclusive scan a warp's first lane has what the warp before ends with, added as that one's last lane adds it.
template <bool exclusive, unsigned threads, class _Tp>
__device__ __forceinline__ _Tp scan_by_first_thread(_Tp v, const site& at) {
  auto* const all = shared_known_results<max_warps<threads>, _Tp>();
  const unsigned warp = warp_in_block<threads>(), lane = static_cast<unsigned>(lane_id());
  const bool is_first = exclusive && lane == 0;
  const unsigned warp_before = warp == 0 ? 0 : warp - 1, added_warps = is_first ? warp_before : warp;
  shared_value<_Tp>* const mine = keep_shared(&all->found.of[warp]);
  const shared_value<_Tp>* const before = keep_shared(&all->joined.of[added_warps == 0 ? 0 : added_warps - 1]);
  const shared_value<_Tp>* const end_before = keep_shared(&all->found.of[warp_before]);
  const auto in_warp = inclusive_of_rows(scan_in_rows(for_scan(v, plus{}), plus{}), plus{});
  if (lane == static_cast<unsigned>(warp_size()) - 1) mine->set(from_word(in_warp));
  whole_block_barrier(at);
  if (thread_in_block<threads>() == 0) scan_results(all, v);
  auto added = in_warp;
  _Tp end = v;
  if constexpr (exclusive) {
    added = short_up<0>(in_warp, 1, full_mask, at);
    end = warp == 0 ? zero<_Tp>() : end_before->get(v);
  }
  block_barrier(at);
  const _Tp of_warps = added_warps == 0 ? adds_nothing<_Tp>() : before->get(v);
  return plus{}(of_warps, is_first ? end : from_word(added));
}

}  // namespace detail
}  // namespace warpz
