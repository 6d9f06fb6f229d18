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
// A lane asks for one tile, one group and the one sum from the start, all at once, so it waits for the slowest of three
// loads. And what is added, and in which order, depends on the tile's number alone.
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

/// A published value that a lane wants, and has already looked for once: other work may be done until it is waited for.
template <class _Tp>
class wanted_value {
 public:
  /// Lanes that want none have `none` instead.
  __device__ __forceinline__ wanted_value(bool wanted, const published<_Tp>* place, _Tp none, const site& at)
      : place_(place), value_(none), is_known_(!wanted) {
    if (wanted) is_known_ = place_->get(value_, at);
  }

  /// All lanes of the warp take part, and wait for each other's.
  __device__ __forceinline__ _Tp wait(const site& at) {
    while (!warp::all(is_known_, at)) {
      if (!is_known_) is_known_ = place_->get(value_, at);
    }
    return value_;
  }

 private:
  const published<_Tp>* place_;
  _Tp value_;
  bool is_known_;
};

/// The sums of a run's tiles, as the blocks publish them. One warp of a block works for its tile: all lanes of it take
/// part in each function.
template <class _Tp>
class tile_sums {
 public:
  __device__ __forceinline__ tile_sums(void* state, std::size_t tiles, unsigned tile)
      : tiles_(static_cast<published<_Tp>*>(state)),
        groups_(tiles_ + tiles),
        starts_(groups_ + parts_in(tiles, least_group)),
        tile_(tile) {}

  __device__ __forceinline__ void publish(_Tp own, const site& at) const {
    if (lane_id() == 0) tiles_[tile_].set(own, at);
  }

  /// The sum of all tiles before, behind `start`, which is the same in all tiles; `own` was published before.
  __device__ __forceinline__ _Tp before(_Tp own, _Tp start, const site& at) const {
    const unsigned lanes = static_cast<unsigned>(warp_size()), lane = static_cast<unsigned>(lane_id());
    const unsigned group = tile_ / lanes, tile_place = tile_ % lanes;
    const unsigned super = group / lanes, group_place = group % lanes;
    const _Tp none = adds_nothing<_Tp>();
    wanted_value<_Tp> tile(lane < tile_place, &tiles_[group * lanes + lane], none, at);
    wanted_value<_Tp> groups(lane < group_place, &groups_[super * lanes + lane], none, at);
    wanted_value<_Tp> from_start(super != 0, &starts_[super == 0 ? 0 : super - 1], start, at);
    const bool ends_group = tile_place == lanes - 1;

    const _Tp of_tiles = warp::sum(tile.wait(at), at);
    const _Tp whole_group = plus{}(of_tiles, own);
    if (ends_group && lane == 0) groups_[group].set(whole_group, at);
    const _Tp of_groups = warp::sum(groups.wait(at), at);
    const _Tp up_to_group = plus{}(from_start.wait(at), of_groups);
    if (ends_group && group_place == lanes - 1 && lane == 0) starts_[super].set(plus{}(up_to_group, whole_group), at);
    return plus{}(up_to_group, of_tiles);
  }

 private:
  published<_Tp>* tiles_;
  published<_Tp>* groups_;
  published<_Tp>* starts_;
  unsigned tile_;
};

}  // namespace detail
}  // namespace warpz
