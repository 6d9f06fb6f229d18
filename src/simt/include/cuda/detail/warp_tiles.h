// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA's tiles of several warps: 64 to 512 neighboring threads of a block.
//
// With 64 lanes a tile of 64 threads is one warp, and works as well. As in CUDA, such a tile has no ballots, matches
// and shuffles by distance.
#pragma once

#include <hip/hip_cooperative_groups.h>

#include "hip/detail/tile_meetings.h"

SIMT_BOTH_SIDES_BEGIN

namespace cooperative_groups {
namespace internal {

/// The lanes of the caller's warp that the block has, and no more.
__device__ inline simt::lane_mask lanes_of_warp() {
  return existing_lanes() & tile_lanes(static_cast<unsigned>(simt::current_warp_size));
}

/// Waits for the threads of the caller's tile. What they wrote before, they all see afterwards.
__device__ inline void sync_tile_of_warps(unsigned size, const simt::site& at) {
  const simt::lane_mask lanes = lanes_of_warp();
  sync_lanes(lanes, at);
  if (simt::this_lane->lane_id == 0) {
    const std::uint64_t meeting = simt::hip::arrive_at_tile(size);
    while (!simt::hip::has_tile_met(size, meeting)) simt::yield(at);
    simt::hip::leave_tile(size, meeting);
  }
  sync_lanes(lanes, at);
}

/// The caller's tile of `size` threads of the block: who is in it, and the values of its threads.
struct tile_threads {
  unsigned first;  ///< within the block
  unsigned count;
  unsigned lanes;  ///< of a warp

  __device__ explicit tile_threads(unsigned size)
      : first(rank_in_block() & ~(size - 1)), lanes(static_cast<unsigned>(simt::current_warp_size)) {
    const unsigned rest = threads_of(blockDim) - first;
    count = rest < size ? rest : size;
  }

  __device__ unsigned warps() const { return (count + lanes - 1) / lanes; }
  /// The number of the caller's warp in the tile.
  __device__ unsigned warp() const { return (rank_in_block() - first) / lanes; }
};

/// Calls `look(word, of_rank)` for each word of the threads' values, where of_rank gives that word of a rank's value.
template <class _Tp, class _Look>
__device__ void look_at_values(unsigned size, const _Tp& value, const simt::site& at, _Look look) {
  static_assert(std::is_trivially_copyable_v<_Tp>, "a tile exchanges what can be copied bit by bit");
  constexpr unsigned words = (sizeof(_Tp) + 7) / 8;
  std::uint64_t own[words] = {};
  memcpy(own, &value, sizeof value);
  const unsigned first = tile_threads(size).first;
  for (unsigned i = 0; i < words; ++i) {
    simt::hip::show_word(own[i]);
    sync_tile_of_warps(size, at);
    look(i, [first](unsigned rank) { return simt::hip::word_of_thread(first + rank); });
    sync_tile_of_warps(size, at);
  }
}

/// The value of the thread with this rank.
template <class _Tp>
__device__ _Tp value_of_rank(unsigned size, const _Tp& value, unsigned rank, const simt::site& at) {
  std::uint64_t words[(sizeof(_Tp) + 7) / 8] = {};
  look_at_values(size, value, at, [&](unsigned i, auto of_rank) { words[i] = of_rank(rank); });
  _Tp result;
  memcpy(&result, words, sizeof result);
  return result;
}

constexpr unsigned max_warps_of_tile = 512 / 32;

/// The value that the lane `chosen(warp)` of each warp of the tile has, one for each warp.
template <class _Tp, class _Chosen>
__device__ void values_of_warps(_Tp (&values)[max_warps_of_tile], unsigned size, const _Tp& value, _Chosen chosen,
                                const simt::site& at) {
  constexpr unsigned words = (sizeof(_Tp) + 7) / 8;
  std::uint64_t shown[max_warps_of_tile][words] = {};
  const tile_threads tile(size);
  look_at_values(size, value, at, [&](unsigned i, auto of_rank) {
    for (unsigned warp = 0; warp < tile.warps(); ++warp) shown[warp][i] = of_rank(warp * tile.lanes + chosen(warp));
  });
  for (unsigned warp = 0; warp < tile.warps(); ++warp) memcpy(&values[warp], shown[warp], sizeof(_Tp));
}

/// All values of the tile combined, neighbors first.
template <class _Tp, class _Operator>
__device__ _Tp reduce_tile_of_warps(unsigned size, const _Tp& value, _Operator&& combine, const simt::site& at) {
  const tile_threads tile(size);
  const simt::lane_mask members = lanes_of_warp();
  const unsigned lane = simt::this_lane->lane_id, there = static_cast<unsigned>(__builtin_popcountll(members));
  _Tp all = value;
  for (unsigned stride = 1; stride < there; stride *= 2) {
    const _Tp other = shuffle(members, all, simt::hip::shfl_down_source(stride, static_cast<int>(tile.lanes)), at);
    if (lane % (2 * stride) == 0 && lane + stride < there) all = combine(all, other);
  }
  _Tp parts[max_warps_of_tile];
  values_of_warps(
      parts, size, all, [](unsigned) { return 0u; }, at);
  all = parts[0];
  for (unsigned warp = 1; warp < tile.warps(); ++warp) all = combine(all, parts[warp]);
  return all;
}

/// The values of the threads up to the caller combined.
template <class _Tp, class _Operator>
__device__ _Tp scan_tile_of_warps(unsigned size, const _Tp& value, _Operator&& combine, const simt::site& at) {
  const tile_threads tile(size);
  const simt::lane_mask members = lanes_of_warp();
  const unsigned lane = simt::this_lane->lane_id;
  _Tp all = value;
  for (unsigned stride = 1; stride < tile.lanes; stride *= 2) {
    const _Tp other = shuffle(members, all, simt::hip::shfl_up_source(stride, static_cast<int>(tile.lanes)), at);
    if (lane >= stride) all = combine(other, all);
  }
  // What comes before the caller's warp; only the last warp of the tile may have fewer lanes.
  _Tp totals[max_warps_of_tile];
  const auto last_lane = [&tile](unsigned warp) {
    const unsigned rest = tile.count - warp * tile.lanes;
    return (rest < tile.lanes ? rest : tile.lanes) - 1;
  };
  values_of_warps(totals, size, all, last_lane, at);
  if (tile.warp() == 0) return all;
  _Tp before = totals[0];
  for (unsigned warp = 1; warp < tile.warp(); ++warp) before = combine(before, totals[warp]);
  return combine(before, all);
}

/// The threads of a tile of several warps.
template <unsigned tile_size>
class tile_of_warps : public thread_group {
 public:
  __device__ static constexpr unsigned size() { return tile_size; }
  __device__ static constexpr unsigned num_threads() { return tile_size; }
  __device__ static unsigned thread_rank() { return rank_in_block() & (tile_size - 1); }
  __device__ static bool is_valid() { return true; }

  __device__ unsigned meta_group_rank() const { return rank_; }
  __device__ unsigned meta_group_size() const { return count_; }

  __device__ static void sync(simt::site at = simt::hip::here("thread_block_tile::sync")) {
    sync_tile_of_warps(tile_size, at);
  }

  /// The value of rank `source`, which is the same in all threads of the tile.
  template <class _Tp>
  __device__ _Tp shfl(const _Tp& value, int source, simt::site at = simt::hip::here("thread_block_tile::shfl")) const {
    return value_of_rank(tile_size, value, static_cast<unsigned>(source) & (tile_size - 1), at);
  }

  __device__ int any(int predicate, simt::site at = simt::hip::here("thread_block_tile::any")) const {
    return reduce_tile_of_warps(
        tile_size, predicate != 0 ? 1 : 0, [](int a, int b) { return a | b; }, at);
  }
  __device__ int all(int predicate, simt::site at = simt::hip::here("thread_block_tile::all")) const {
    return reduce_tile_of_warps(
        tile_size, predicate != 0 ? 1 : 0, [](int a, int b) { return a & b; }, at);
  }

 protected:
  __device__ tile_of_warps(unsigned rank, unsigned count)
      : thread_group(cg_tile_of_warps, tile_size), rank_(rank), count_(count) {}

 private:
  unsigned rank_;
  unsigned count_;
};

template <class _Group>
struct size_in_warps {
  static constexpr unsigned value = 0;
};
template <unsigned tile_size, class _Parent>
struct size_in_warps<thread_block_tile<tile_size, _Parent>> {
  static constexpr unsigned value = tile_size > 32 ? tile_size : 0;
};

/// The threads of a tile of several warps; 0 for any other group.
template <class _Group>
constexpr unsigned threads_of_warps = size_in_warps<_Group>::value;

}  // namespace internal

#define SIMT_TILE_OF_WARPS(size)                                               \
  template <>                                                                  \
  class thread_block_tile<size, void> : public internal::tile_of_warps<size> { \
   protected:                                                                  \
    using internal::tile_of_warps<size>::tile_of_warps;                        \
  };
SIMT_TILE_OF_WARPS(64)
SIMT_TILE_OF_WARPS(128)
SIMT_TILE_OF_WARPS(256)
SIMT_TILE_OF_WARPS(512)
#undef SIMT_TILE_OF_WARPS

/// Shared memory through which the warps of a tile exchange values on GPUs before sm_80. Here it is not needed either.
template <unsigned _MaxBlockSize = 1024>
struct __attribute__((aligned(8))) block_tile_memory {
 private:
  char unused_[8];
};

template <unsigned _MaxBlockSize>
__device__ thread_block this_thread_block(block_tile_memory<_MaxBlockSize>&) {
  return this_thread_block();
}

// The names before CUDA 12.
namespace experimental {

template <unsigned _CommunicationSize = 8, unsigned _MaxBlockSize = 1024>
struct __attribute__((aligned(8))) block_tile_memory {
 private:
  char unused_[8];
};

using cooperative_groups::this_thread_block;
using cooperative_groups::tiled_partition;

template <unsigned _CommunicationSize, unsigned _MaxBlockSize>
__device__ thread_block this_thread_block(block_tile_memory<_CommunicationSize, _MaxBlockSize>&) {
  return this_thread_block();
}

}  // namespace experimental

}  // namespace cooperative_groups

SIMT_BOTH_SIDES_END
