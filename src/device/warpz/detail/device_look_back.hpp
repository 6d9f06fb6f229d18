// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a block learns the sum of all tiles before its own, while their blocks are at work: decoupled look-back (Merrill
// and Garland, Single-pass parallel prefix scan with decoupled look-back, 2016), in an order of additions that is
// fixed.
//
// In the paper a block adds up the sums of the tiles before it until it meets one whose prefix is known already, and so
// a sum of floats rounds in another way in each run. Here the warp's lanes make groups of as many tiles, and groups of
// as many groups, the supergroups:
//
//     tiles                 0 1 2 3   4 5 6 7   8 9 …          (a warp of four lanes)
//     sums of groups        0 … 3     4 … 7     8 … 11         published with the last tile of each
//     sums from the start   0 … 15                             published with the last tile of each supergroup
//
//     before tile 42        the sum up to tile 15, groups 16 … 19 to 28 … 31 of the supergroup before, groups 32 … 35
//     (tiles 40 to 43)      and 36 … 39 of its own, then tiles 40 and 41
//
// What is added, and in which order, depends on the tile's number alone.
//
// A value takes a microsecond or two from one block to another, so a block that waits for a group's sum waits twice:
// for the group's tiles and for the sum that the group's last tile makes of them. Therefore each warp of the block adds
// up one of the groups just before by itself, from its tiles, and the first one looks at the block's own group; only
// sums of groups farther back, which are old, are read as they were published. The last sum from the start is not
// read but made of the groups of the supergroup before.
//
// Forward progress: a tile waits for tiles with lower numbers only. Numbers are taken by tickets, so a block that has
// begun works on each of those or has done so, and none waits for a higher one: the lowest unfinished tile waits for
// nobody. That needs no more than that a block which has begun goes on, also beside others that wait.
#pragma once

#include <hip/hip_runtime.h>

#include <cstddef>

#include "warpz/detail/device_tiles.hpp"
#include "warpz/detail/operators.hpp"
#include "warpz/detail/shared_value.hpp"
#include "warpz/detail/sync_platform.hpp"
#include "warpz/detail/unroll.hpp"
#include "warpz/device_state.hpp"
#include "warpz/scope.hpp"
#include "warpz/warp.hpp"

namespace warpz {
namespace detail {

/// A value that one lane leaves for those of other blocks. Each 32 bits of it lie beside the launch's number plus one
/// in one word, so that nobody sees that without the value, and no fence is needed.
template <class _Tp>
struct published {
  static constexpr unsigned count = sizeof(_Tp) / sizeof(unsigned);
  unsigned long long word[count];

  /// Lanes within `reach` can get it.
  template <scope reach = scope::device>
  __device__ __forceinline__ void set(_Tp v, unsigned launch, const site& at) {
    unsigned bits[count];
    __builtin_memcpy(bits, &v, sizeof v);
    for (unsigned i = 0; i < count; ++i) {
      store_relaxed<reach>(&word[i], static_cast<unsigned long long>(launch + 1) << 32 | bits[i], at);
    }
  }

  /// Whether it was set in this launch, by a lane within `reach`; then `v` is the value.
  template <scope reach = scope::device>
  __device__ __forceinline__ bool get(_Tp& v, unsigned launch, const site& at) const {
    unsigned bits[count];
    bool is_set = true;
    for (unsigned i = 0; i < count; ++i) {
      const unsigned long long found = load_relaxed<reach>(&word[i], at);
      bits[i] = static_cast<unsigned>(found);
      is_set = is_set && found >> 32 == launch + 1;
    }
    if (is_set) __builtin_memcpy(&v, bits, sizeof v);
    return is_set;
  }
};

/// Where the blocks of one device publish.
template <class _Tp>
class device_board {
 public:
  __device__ __forceinline__ explicit device_board(void* state) : all_(static_cast<published<_Tp>*>(state)) {}

  __device__ __forceinline__ void set(unsigned place, _Tp v, unsigned launch, const site& at) const {
    all_[place].set(v, launch, at);
  }
  __device__ __forceinline__ bool get(unsigned place, _Tp& v, unsigned launch, const site& at) const {
    return all_[place].get(v, launch, at);
  }

 private:
  published<_Tp>* all_;
};

inline constexpr unsigned max_warp_lanes = 64;

/// What a block's warps find for each other.
template <class _Tp>
struct look_back_memory {
  shared_value<_Tp> group[2][max_warp_lanes];  ///< sums of the groups of the supergroup before, and of the tile's own
  shared_value<_Tp> start;                     ///< the sum of all before those
  shared_value<_Tp> tiles;                     ///< those of the tile's own group that come before the tile
};

template <class _Tp>
__device__ __forceinline__ look_back_memory<_Tp>& shared_look_back_memory() {
  __shared__ look_back_memory<_Tp> all;
  return all;
}

/// How the block of one tile learns the sum of those before. All threads of the block make one, and take part in each
/// function, in this order: publish(), ask(), wait(), a block_barrier(), before().
template <class _Tp, class _Board = device_board<_Tp>>
class look_back {
 public:
  /// The board has published_values(tiles), `tiles` being those in all.
  __device__ __forceinline__ look_back(const _Board& board, std::size_t tiles, unsigned tile, unsigned launch)
      : all_(board),
        groups_(static_cast<unsigned>(tiles)),
        starts_(groups_ + static_cast<unsigned>(parts_of(tiles, least_group))),
        launch_(launch),
        tile_(tile) {}

  __device__ __forceinline__ void publish(_Tp own, const site& at) const {
    if (thread_in_tile() == 0) all_.set(tile_, own, launch_, at);
  }

  /// Asks for what is there already; `start` is what comes before tile 0.
  __device__ __forceinline__ void ask(_Tp start, const site& at) {
    const unsigned lane = static_cast<unsigned>(lane_id()), warp = warp_in_tile();
    const bool is_first = warp == 0;
    const bool wanted[kinds] = {is_first ? lane < place() : warp <= group(), is_first && is_far(first_group() + lane),
                                is_first && has_supergroup_before() && is_far(first_group_before() + lane),
                                is_first && lane == 0 && supergroup() > 1};
    WARPZ_UNROLL
    for (unsigned i = 0; i < kinds; ++i) {
      value_[i] = i == 3 ? start : adds_nothing<_Tp>();
      is_known_[i] = !wanted[i];
    }
    look(at);
  }

  /// Waits for what was asked for, and leaves it for the block's other warps.
  __device__ __forceinline__ void wait(_Tp own, const site& at) {
    const unsigned lane = static_cast<unsigned>(lane_id()), warp = warp_in_tile();
    look_back_memory<_Tp>& shared = shared_look_back_memory<_Tp>();
    while (!warp::all(is_known_[0], at)) look(at);
    const _Tp tile = value_[0];
    if (warp == 0) {
      const _Tp tiles = warp::sum(tile, at);
      if (ends_group() && lane == 0) all_.set(groups_ + group(), plus{}(tiles, own), launch_, at);
      while (!warp::all(is_known_[1] && is_known_[2] && is_known_[3], at)) look(at);
      if (is_far(first_group() + lane)) shared.group[1][lane].set(value_[1]);
      if (has_supergroup_before() && is_far(first_group_before() + lane)) shared.group[0][lane].set(value_[2]);
      if (lane == 0) {
        shared.start.set(value_[3]);
        shared.tiles.set(tiles);
      }
    } else if (warp <= group()) {
      // As the group's last tile publishes it: its own sum behind that of the others.
      const unsigned mine = group() - warp, last = lanes() - 1;
      const _Tp others = warp::sum(lane == last ? adds_nothing<_Tp>() : tile, at);
      const _Tp whole = plus{}(others, warp::broadcast(tile, last, at));
      if (lane == 0) shared.group[mine >= first_group()][mine % lanes()].set(whole);
    }
  }

  /// The sum of all tiles before, behind `start`, in all threads.
  __device__ __forceinline__ _Tp before(_Tp own, const site& at) const {
    const unsigned lane = static_cast<unsigned>(lane_id()), last = lanes() - 1;
    const look_back_memory<_Tp>& shared = shared_look_back_memory<_Tp>();
    const _Tp tiles = shared.tiles.get(own);
    _Tp start = shared.start.get(own);
    if (has_supergroup_before()) start = plus{}(start, warp::sum(shared.group[0][lane].get(own), at));
    const _Tp found = lane < group() % lanes() ? shared.group[1][lane].get(own) : adds_nothing<_Tp>();
    if (warp_in_tile() == 0 && ends_group() && group() % lanes() == last) {
      const _Tp supergroup_sum = warp::sum(lane == last ? plus{}(tiles, own) : found, at);
      if (lane == 0) all_.set(starts_ + supergroup(), plus{}(start, supergroup_sum), launch_, at);
    }
    return plus{}(plus{}(start, warp::sum(found, at)), tiles);
  }

 private:
  /// What a lane may want: a tile; a group of the own supergroup, and of the one before; the sum before those.
  static constexpr unsigned kinds = 4;

  /// Looks once more at all that is not known yet.
  __device__ __forceinline__ void look(const site& at) {
    const unsigned lane = static_cast<unsigned>(lane_id());
    const unsigned at_place[kinds] = {(group() - warp_in_tile()) * lanes() + lane, groups_ + first_group() + lane,
                                      groups_ + first_group_before() + lane, starts_ + supergroup() - 2};
    WARPZ_UNROLL
    for (unsigned i = 0; i < kinds; ++i) {
      if (!is_known_[i]) is_known_[i] = all_.get(at_place[i], value_[i], launch_, at);
    }
  }

  __device__ __forceinline__ static unsigned lanes() { return static_cast<unsigned>(warp_size()); }
  __device__ __forceinline__ unsigned group() const { return tile_ / lanes(); }
  __device__ __forceinline__ unsigned place() const { return tile_ % lanes(); }
  __device__ __forceinline__ bool ends_group() const { return place() == lanes() - 1; }
  __device__ __forceinline__ unsigned supergroup() const { return group() / lanes(); }
  __device__ __forceinline__ bool has_supergroup_before() const { return supergroup() != 0; }
  __device__ __forceinline__ unsigned first_group() const { return supergroup() * lanes(); }
  __device__ __forceinline__ unsigned first_group_before() const { return first_group() - lanes(); }
  /// Whether no warp of the block adds up that group, which comes before the tile's own.
  __device__ __forceinline__ bool is_far(unsigned group_before) const {
    return group_before + warps_in_tile() <= group();
  }

  _Board all_;                ///< the tiles' part comes first
  unsigned groups_, starts_;  ///< where those of groups begin, and those from the start
  unsigned launch_, tile_;
  _Tp value_[kinds];
  bool is_known_[kinds];
};

}  // namespace detail
}  // namespace warpz
