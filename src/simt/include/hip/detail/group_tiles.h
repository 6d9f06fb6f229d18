// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tiles: 2^n neighboring lanes of a warp, by a size that the compiler knows (thread_block_tile) or not.
#pragma once

#include "hip/detail/group_blocks.h"

SIMT_BOTH_SIDES_BEGIN

namespace cooperative_groups {

/// A tile whose size is known at run time.
class tiled_group : public thread_group {
 public:
  __device__ unsigned meta_group_rank() const { return rank_; }
  __device__ unsigned meta_group_size() const { return count_; }

 private:
  friend thread_group tiled_partition(const thread_group&, unsigned, simt::site);
  friend tiled_group tiled_partition(const tiled_group&, unsigned, simt::site);

  __device__ tiled_group(unsigned tile_size, unsigned rank, unsigned count)
      : thread_group(
            internal::cg_tiled_group,
            static_cast<uint32_t>(__builtin_popcountll(internal::tile_lanes(tile_size) & internal::existing_lanes())),
            internal::tile_lanes(tile_size)),
        rank_(rank),
        count_(count) {}

  unsigned rank_;
  unsigned count_;
};

template <unsigned tile_size, class _Parent = void>
class thread_block_tile;

/// A tile of `tile_size` lanes: the functions of the warp among the tile's own lanes, by their ranks.
///
/// A tile's values are integers and floats. Where the block ends within a tile, reading a rank that does not exist
/// gives an undefined value; size() stays tile_size. Ballots and matches have bit i for rank i.
template <unsigned tile_size>
class thread_block_tile<tile_size, void> : public thread_group {
  static_assert(tile_size != 0 && (tile_size & (tile_size - 1)) == 0 && tile_size <= simt::max_warp_size,
                "a tile has a power of two of lanes, and no more than a warp");

 public:
  __device__ static constexpr unsigned size() { return tile_size; }
  __device__ static constexpr unsigned num_threads() { return tile_size; }
  __device__ static unsigned thread_rank() { return simt::this_lane->lane_id & (tile_size - 1); }
  __device__ static bool is_valid() { return true; }

  /// The tile's number within the group that it is part of, and how many tiles that has.
  __device__ unsigned meta_group_rank() const { return rank_; }
  __device__ unsigned meta_group_size() const { return count_; }

  __device__ static void sync(simt::site at = simt::hip::here("thread_block_tile::sync")) {
    internal::sync_lanes(members(), at);
  }

  /// The value of rank `source`, modulo the tile's size.
  template <class _Tp>
  __device__ _Tp shfl(_Tp value, int source, simt::site at = simt::hip::here("thread_block_tile::shfl")) const {
    return shuffle(value, simt::hip::shfl_source(source, tile_size), at);
  }
  /// The value of the rank `delta` below or above; the caller's own where there is none.
  template <class _Tp>
  __device__ _Tp shfl_up(_Tp value, unsigned delta,
                         simt::site at = simt::hip::here("thread_block_tile::shfl_up")) const {
    return shuffle(value, simt::hip::shfl_up_source(delta, tile_size), at);
  }
  template <class _Tp>
  __device__ _Tp shfl_down(_Tp value, unsigned delta,
                           simt::site at = simt::hip::here("thread_block_tile::shfl_down")) const {
    return shuffle(value, simt::hip::shfl_down_source(delta, tile_size), at);
  }
  /// The value of the rank that differs in `bits`, which are less than the tile's size.
  template <class _Tp>
  __device__ _Tp shfl_xor(_Tp value, unsigned bits,
                          simt::site at = simt::hip::here("thread_block_tile::shfl_xor")) const {
    return shuffle(value, simt::hip::shfl_xor_source(static_cast<int>(bits), tile_size), at);
  }

  __device__ int any(int predicate, simt::site at = simt::hip::here("thread_block_tile::any")) const {
    return simt::hip::any(members(), predicate != 0, at);
  }
  __device__ int all(int predicate, simt::site at = simt::hip::here("thread_block_tile::all")) const {
    return simt::hip::all(members(), predicate != 0, at);
  }
  __device__ simt::hip::lane_set ballot(int predicate,
                                        simt::site at = simt::hip::here("thread_block_tile::ballot")) const {
    return internal::as_ranks(members(), simt::hip::ballot(members(), predicate != 0, at));
  }
  /// The ranks whose value equals the caller's.
  template <class _Tp>
  __device__ simt::hip::lane_set match_any(_Tp value,
                                           simt::site at = simt::hip::here("thread_block_tile::match_any")) const {
    return internal::as_ranks(members(),
                              simt::collect(simt::hip::resolve_match_any, members(), simt::hip::match_word(value), 0,
                                            at.typed(simt::value_type_of<_Tp>())));
  }
  /// All ranks, and predicate = 1, if all values are equal; otherwise 0 and 0.
  template <class _Tp>
  __device__ simt::hip::lane_set match_all(_Tp value, int& predicate,
                                           simt::site at = simt::hip::here("thread_block_tile::match_all")) const {
    const simt::lane_mask same = simt::collect(simt::hip::resolve_match_all, members(), simt::hip::match_word(value), 0,
                                               at.typed(simt::value_type_of<_Tp>()));
    predicate = same != 0;
    return internal::as_ranks(members(), same);
  }

 protected:
  __device__ thread_block_tile(unsigned rank, unsigned count)
      : thread_group(internal::cg_tiled_group, tile_size, members()), rank_(rank), count_(count) {}

 private:
  __device__ static simt::lane_mask members() { return internal::tile_lanes(tile_size); }

  template <class _Tp>
  __device__ static _Tp shuffle(_Tp value, const simt::hip::shuffle_source& source, const simt::site& at) {
    return internal::shuffle(members(), value, source, at);
  }

  unsigned rank_;
  unsigned count_;
};

/// A tile that knows the group it is part of.
template <unsigned tile_size, class _Parent>
class thread_block_tile : public thread_block_tile<tile_size, void> {
  template <unsigned size, class _Group>
  friend thread_block_tile<size, _Group> tiled_partition(const _Group&, simt::site);

  __device__ thread_block_tile(unsigned rank, unsigned count) : thread_block_tile<tile_size, void>(rank, count) {}
};

/// The caller's tile of the block, or of a larger tile. A warp of the block has to be at least as large.
template <unsigned tile_size, class _Parent>
__device__ thread_block_tile<tile_size, _Parent> tiled_partition(const _Parent& parent,
                                                                 simt::site at = simt::hip::here("tiled_partition")) {
  static_assert(std::is_base_of_v<thread_group, _Parent>, "a tile is made from a block or a larger tile");
  if constexpr (!internal::may_have_warps(tile_size)) internal::check_tile_size(tile_size, at);
  const unsigned size = parent.size();
  if constexpr (!std::is_same_v<_Parent, thread_block>) {
    if (size < tile_size)
      simt::assertion_failed("the tile is no larger than its parent", at.file, at.line, at.operation);
  }
  return thread_block_tile<tile_size, _Parent>(parent.thread_rank() / tile_size, (size + tile_size - 1) / tile_size);
}

/// A tile whose size the compiler does not know.
__device__ inline thread_group tiled_partition(const thread_group& parent, unsigned tile_size,
                                               simt::site at = simt::hip::here("tiled_partition")) {
  internal::check_tile_size(tile_size, at);
  const unsigned count = (parent.size() + tile_size - 1) / tile_size;
  return tiled_group(tile_size, parent.thread_rank() / tile_size, count);
}
__device__ inline tiled_group tiled_partition(const tiled_group& parent, unsigned tile_size,
                                              simt::site at = simt::hip::here("tiled_partition")) {
  internal::check_tile_size(tile_size, at);
  if (parent.size() <= tile_size) return parent;
  return tiled_group(tile_size, parent.thread_rank() / tile_size, (parent.size() + tile_size - 1) / tile_size);
}

}  // namespace cooperative_groups

SIMT_BOTH_SIDES_END
