// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a block learns the sum of all tiles before its own, while their blocks are at work: decoupled look-back (Merrill
// and Garland, Single-pass parallel prefix scan with decoupled look-back, 2016), in an order of additions that is
// fixed.
//
// In the paper a block adds up the sums of the tiles before it until it meets one whose prefix is known already, and so
// a sum of floats rounds in another way in each run. Here the warp's lanes make groups of as many tiles, and groups of
// as many groups:
//
//     tiles                0 1 2 3   4 5 6 7   8 9 …          (a warp of four lanes)
//     sums of groups       0 … 3     4 … 7     8 … 11         published with the last tile of each
//     sums from the start  0 … 15              16 tiles on    published with the last tile of each group of groups
//
//     before tile 10       the sum up to tile 15 of the group of groups before (none), then groups 0 … 3 and 4 … 7,
//                          then tiles 8 and 9
//
// A lane asks for all that it needs at once: one tile, one group and the one sum from the start. Of the last groups it
// asks for the tiles instead and adds them up itself, as the group's last tile does, for the group's sum comes later.
// What is added, and in which order, depends on the tile's number alone.
//
// Forward progress: a tile waits for tiles with lower numbers only. Numbers are taken by tickets, so a block that has
// begun works on each of those or has done so, and none waits for a higher one: the lowest unfinished tile waits for
// nobody. That needs no more than that a block which has begun goes on, also beside others that wait.
#pragma once

#include <hip/hip_runtime.h>

#include <cstddef>

#include "warpz/detail/block_collectives.hpp"
#include "warpz/detail/device_tiles.hpp"
#include "warpz/detail/operators.hpp"
#include "warpz/detail/sync_platform.hpp"
#include "warpz/detail/unroll.hpp"
#include "warpz/device_state.hpp"
#include "warpz/warp.hpp"

namespace warpz {
namespace detail {

/// A value that one lane leaves for those of other blocks; zeros at the start. Each 32 bits of it lie beside a flag in
/// one word, so that nobody sees the flag without the value, and no fence is needed.
template <class _Tp>
struct published {
  static constexpr unsigned count = sizeof(_Tp) / sizeof(unsigned);
  static constexpr unsigned long long flag = 1ULL << 32;
  unsigned long long word[count];

  __device__ __forceinline__ void set(_Tp v, const site& at) {
    unsigned bits[count];
    __builtin_memcpy(bits, &v, sizeof v);
    for (unsigned i = 0; i < count; ++i) store_relaxed(&word[i], flag | bits[i], at);
  }

  /// Whether it was set; then `v` is the value.
  __device__ __forceinline__ bool get(_Tp& v, const site& at) const {
    unsigned bits[count];
    bool is_set = true;
    for (unsigned i = 0; i < count; ++i) {
      const unsigned long long found = load_relaxed(&word[i], at);
      bits[i] = static_cast<unsigned>(found);
      is_set = is_set && (found & flag) != 0;
    }
    if (is_set) __builtin_memcpy(&v, bits, sizeof v);
    return is_set;
  }
};

/// Groups before the caller's whose tiles it adds up itself. Their sums are published later than the tiles by the time
/// that a value takes from one block to another. Of 64 bits registers are worth more.
template <class _Tp>
inline constexpr unsigned near_groups = sizeof(_Tp) == sizeof(unsigned) ? 3 : 0;

/// Published values that a lane wants. All of them are asked for before any is waited for.
template <unsigned count, class _Tp>
class wanted_values {
 public:
  __device__ __forceinline__ explicit wanted_values(const published<_Tp>* all) : all_(all) {}

  /// A lane that does not want the value at `place` has `none` instead.
  __device__ __forceinline__ void ask(unsigned i, bool wanted, unsigned place, _Tp none, const site& at) {
    place_[i] = place;
    value_[i] = none;
    is_known_[i] = !wanted || all_[place].get(value_[i], at);
  }

  /// Waits for those from `first` to before `end`. All lanes of the warp take part, and wait for each other's.
  template <unsigned first, unsigned end>
  __device__ __forceinline__ void wait(const site& at) {
    while (true) {
      bool is_known = true;
      WARPZ_UNROLL
      for (unsigned i = first; i < end; ++i) is_known = is_known && is_known_[i];
      if (warp::all(is_known, at)) return;
      WARPZ_UNROLL
      for (unsigned i = first; i < end; ++i) {
        if (!is_known_[i]) is_known_[i] = all_[place_[i]].get(value_[i], at);
      }
    }
  }

  __device__ __forceinline__ _Tp value(unsigned i) const { return value_[i]; }

 private:
  const published<_Tp>* all_;
  unsigned place_[count];
  _Tp value_[count];
  bool is_known_[count];
};

/// The sums of a run's tiles, as the blocks publish them. One warp of a block works for its tile: all lanes of it take
/// part in each function.
template <class _Tp>
class tile_sums {
 public:
  __device__ __forceinline__ tile_sums(void* state, std::size_t tiles, unsigned tile)
      : all_(static_cast<published<_Tp>*>(state)),
        groups_(static_cast<unsigned>(tiles)),
        starts_(groups_ + static_cast<unsigned>(parts_in(tiles, least_group))),
        tile_(tile) {}

  __device__ __forceinline__ void publish(_Tp own, const site& at) const {
    if (lane_id() == 0) all_[tile_].set(own, at);
  }

  /// The sum of all tiles before, behind `start`, which is the same in all tiles; `own` was published before.
  __device__ __forceinline__ _Tp before(_Tp own, _Tp start, const site& at) const {
    constexpr unsigned max_near = near_groups<_Tp>;
    const unsigned lanes = static_cast<unsigned>(warp_size()), lane = static_cast<unsigned>(lane_id());
    const unsigned group = tile_ / lanes, tile_place = tile_ % lanes;
    const unsigned super = group / lanes, group_place = group % lanes;
    const unsigned near = group_place < max_near ? group_place : max_near;
    const _Tp none = adds_nothing<_Tp>();
    wanted_values<3 + max_near, _Tp> wanted(all_);
    wanted.ask(0, lane < tile_place, group * lanes + lane, none, at);
    wanted.ask(1, lane < group_place - near, groups_ + super * lanes + lane, none, at);
    wanted.ask(2, super != 0, starts_ + super - 1, start, at);
    WARPZ_UNROLL
    for (unsigned i = 0; i < max_near; ++i) wanted.ask(3 + i, i < near, (group - 1 - i) * lanes + lane, none, at);

    wanted.template wait<0, 1>(at);
    const _Tp of_tiles = warp::sum(wanted.value(0), at), whole_group = plus{}(of_tiles, own);
    const bool ends_group = tile_place == lanes - 1;
    if (ends_group && lane == 0) all_[groups_ + group].set(whole_group, at);

    wanted.template wait<1, 3 + max_near>(at);
    _Tp groups = wanted.value(1);
    WARPZ_UNROLL
    for (unsigned i = 0; i < max_near; ++i) {
      if (i >= near) continue;
      const _Tp whole = sum_of_group(wanted.value(3 + i), at);
      if (lane == group_place - 1 - i) groups = whole;
    }
    const _Tp up_to_group = plus{}(wanted.value(2), warp::sum(groups, at));
    if (ends_group && group_place == lanes - 1 && lane == 0) {
      all_[starts_ + super].set(plus{}(up_to_group, whole_group), at);
    }
    return plus{}(up_to_group, of_tiles);
  }

 private:
  /// What the group's last tile publishes: its own sum behind that of the others.
  __device__ __forceinline__ static _Tp sum_of_group(_Tp tile, const site& at) {
    const unsigned last = static_cast<unsigned>(warp_size()) - 1;
    const _Tp others = static_cast<unsigned>(lane_id()) == last ? adds_nothing<_Tp>() : tile;
    return plus{}(warp::sum(others, at), warp::broadcast(tile, last, at));
  }

  published<_Tp>* all_;       ///< of tiles
  unsigned groups_, starts_;  ///< where those of groups begin, and those of groups of groups
  unsigned tile_;
};

}  // namespace detail
}  // namespace warpz
