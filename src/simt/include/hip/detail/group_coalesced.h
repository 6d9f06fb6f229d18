// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Any set of lanes of one warp: those that are active together, and parts of such a set.
#pragma once

#include "hip/detail/group_tiles.h"

SIMT_BOTH_SIDES_BEGIN

namespace cooperative_groups {

class coalesced_group;

/// The threads of the tile whose predicate is the same as the caller's. All threads of the tile take part.
template <unsigned tile_size, class _Parent>
__device__ coalesced_group binary_partition(const thread_block_tile<tile_size, _Parent>& parent, bool predicate,
                                            simt::site at = simt::hip::here("binary_partition"));

/// Lanes of one warp, numbered upwards without gaps. Ballots and matches have bit i for rank i.
class coalesced_group : public thread_group {
 public:
  __device__ unsigned meta_group_rank() const { return rank_; }
  __device__ unsigned meta_group_size() const { return count_; }

  /// The value of rank `source`, modulo the group's size.
  template <class _Tp>
  __device__ _Tp shfl(_Tp value, int source, simt::site at = simt::hip::here("coalesced_group::shfl")) const {
    const int members = static_cast<int>(size());
    const int rank = source % members;
    return shuffle(value, static_cast<unsigned>(rank < 0 ? rank + members : rank), at);
  }
  /// The value of the rank `delta` below or above; the caller's own where there is none.
  template <class _Tp>
  __device__ _Tp shfl_up(_Tp value, unsigned delta, simt::site at = simt::hip::here("coalesced_group::shfl_up")) const {
    const unsigned self = thread_rank();
    return shuffle(value, delta > self ? self : self - delta, at);
  }
  template <class _Tp>
  __device__ _Tp shfl_down(_Tp value, unsigned delta,
                           simt::site at = simt::hip::here("coalesced_group::shfl_down")) const {
    const unsigned self = thread_rank();
    return shuffle(value, delta >= size() - self ? self : self + delta, at);
  }

  __device__ int any(int predicate, simt::site at = simt::hip::here("coalesced_group::any")) const {
    return simt::hip::any(lanes(), predicate != 0, at);
  }
  __device__ int all(int predicate, simt::site at = simt::hip::here("coalesced_group::all")) const {
    return simt::hip::all(lanes(), predicate != 0, at);
  }
  __device__ simt::hip::lane_set ballot(int predicate,
                                        simt::site at = simt::hip::here("coalesced_group::ballot")) const {
    return internal::as_ranks(lanes(), simt::hip::ballot(lanes(), predicate != 0, at));
  }
  /// The ranks whose value equals the caller's.
  template <class _Tp>
  __device__ simt::hip::lane_set match_any(_Tp value,
                                           simt::site at = simt::hip::here("coalesced_group::match_any")) const {
    return internal::as_ranks(lanes(),
                              simt::collect(simt::hip::resolve_match_any, lanes(), simt::hip::match_word(value), 0,
                                            at.typed(simt::value_type_of<_Tp>())));
  }
  /// All ranks, and predicate = 1, if all values are equal; otherwise 0 and 0.
  template <class _Tp>
  __device__ simt::hip::lane_set match_all(_Tp value, int& predicate,
                                           simt::site at = simt::hip::here("coalesced_group::match_all")) const {
    const simt::lane_mask same = simt::collect(simt::hip::resolve_match_all, lanes(), simt::hip::match_word(value), 0,
                                               at.typed(simt::value_type_of<_Tp>()));
    predicate = same != 0;
    return internal::as_ranks(lanes(), same);
  }

 private:
  friend struct internal::group_members;
  friend coalesced_group coalesced_threads(simt::site);
  friend coalesced_group tiled_partition(const coalesced_group&, unsigned, simt::site);
  friend coalesced_group binary_partition(const coalesced_group&, bool, simt::site);
  template <unsigned size, class _Parent>
  friend coalesced_group binary_partition(const thread_block_tile<size, _Parent>&, bool, simt::site);

  __device__ explicit coalesced_group(simt::lane_mask members, unsigned rank = 0, unsigned count = 1)
      : thread_group(internal::cg_coalesced_group, static_cast<uint32_t>(__builtin_popcountll(members)), members),
        rank_(rank),
        count_(count) {}

  /// The lanes of `members` whose `holds` is the same as the caller's.
  __device__ static coalesced_group part(simt::lane_mask members, bool holds, const simt::site& at) {
    const simt::lane_mask holding = simt::hip::ballot(members, holds, at);
    const simt::lane_mask existing = members & internal::existing_lanes();
    return coalesced_group(holds ? holding : existing & ~holding);
  }

  template <class _Tp>
  __device__ _Tp shuffle(_Tp value, unsigned rank, const simt::site& at) const {
    simt::lane_mask rest = lanes();
    for (; rank > 0; --rank) rest &= rest - 1;
    return internal::shuffle(lanes(), value, simt::hip::lowest_lane(rest), at);
  }

  unsigned rank_;
  unsigned count_;
};

/// The lanes that are active together with the caller: all that have arrived once no other lane can run on.
__device__ inline coalesced_group coalesced_threads(simt::site at = simt::hip::here("coalesced_threads")) {
  return coalesced_group(simt::collect_active(simt::hip::resolve_present, 0, 0, at));
}

/// The caller's part of the group: `tile_size` consecutive ranks, fewer in the last part.
__device__ inline coalesced_group tiled_partition(const coalesced_group& parent, unsigned tile_size,
                                                  simt::site at = simt::hip::here("tiled_partition")) {
  if (tile_size == 0 || (tile_size & (tile_size - 1)) != 0) {
    simt::assertion_failed("the tile size is a power of two", at.file, at.line, at.operation);
  }
  const unsigned tile = parent.thread_rank() / tile_size;
  simt::lane_mask members = 0;
  unsigned rank = 0;
  simt::hip::for_each_lane(parent.lanes(), [&](unsigned lane) {
    if (rank++ / tile_size == tile) members |= simt::lane_mask{1} << lane;
  });
  return coalesced_group(members, tile, (parent.size() + tile_size - 1) / tile_size);
}

/// The threads of the group whose predicate is the same as the caller's. All threads of the group take part.
__device__ inline coalesced_group binary_partition(const coalesced_group& parent, bool predicate,
                                                   simt::site at = simt::hip::here("binary_partition")) {
  return coalesced_group::part(parent.lanes(), predicate, at);
}
template <unsigned tile_size, class _Parent>
__device__ coalesced_group binary_partition(const thread_block_tile<tile_size, _Parent>&, bool predicate,
                                            simt::site at) {
  return coalesced_group::part(internal::tile_lanes(tile_size), predicate, at);
}

}  // namespace cooperative_groups

SIMT_BOTH_SIDES_END
