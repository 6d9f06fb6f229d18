// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tile of keys that a block sorts by one digit, in shared memory: what the sorts of one block (device_sort_block.hpp)
// and of many (device_sort.hpp) have in common.
//
//     each warp counts its keys' digits | where each warp's keys with each digit begin | each warp puts its keys there
//
// Equal digits stay in their order.
#pragma once

#include <hip/hip_runtime.h>

#include <utility>

#include "warpz/block.hpp"
#include "warpz/detail/device_tiles.hpp"
#include "warpz/detail/platform.hpp"
#include "warpz/detail/sort_keys.hpp"
#include "warpz/detail/sync_platform.hpp"
#include "warpz/detail/unroll.hpp"
#include "warpz/detail/vendor_paths.hpp"
#include "warpz/lane_mask.hpp"
#include "warpz/sync.hpp"

namespace warpz {
namespace detail {

/// A tile's rows, where it is loaded by them.
template <class _Tp>
inline constexpr unsigned sort_rows = sort_items<_Tp> / access_elements<_Tp>;

template <class _Tp>
struct sort_memory {
  static_assert(tile_elements<_Tp, sort_rows<_Tp>> == sort_tile<_Tp>, "rows make up a tile");
  _Tp key[sizeof(_Tp) == 1 ? 1 : sort_block_keys<_Tp>];  ///< in the order of their digits; of 8 bits none is moved
  unsigned count[max_tile_warps]
                [digit_values];   ///< how many keys of a warp have the digit; then the place of its next one
  unsigned offset[digit_values];  ///< from places in the tile to places in the array; wraps
};

template <class _Tp>
__device__ __forceinline__ sort_memory<_Tp>& shared_sort_memory() {
  __shared__ sort_memory<_Tp> all;
  return all;
}

/// Calls do_with(key, its place in the tile) for the caller's keys that exist.
template <class _Tp, class _DoWith>
__device__ __forceinline__ void for_each_key(const access<_Tp> (&row)[sort_rows<_Tp>], unsigned existing,
                                             const _DoWith& do_with) {
  WARPZ_UNROLL
  for (unsigned r = 0; r < sort_rows<_Tp>; ++r) {
    WARPZ_UNROLL
    for (unsigned i = 0; i < access<_Tp>::count; ++i) {
      const unsigned place = first_in_tile<_Tp, sort_rows<_Tp>>() + r * row_stride<_Tp>() + i;
      if (place < existing) do_with(row[r].get(i), place);
    }
  }
}

/// The lanes of a warp, as match_bits() has them.
using warp_lanes = decltype(match_bits<digit_bits>(0U, std::declval<site>()));

__device__ __forceinline__ unsigned count_lanes(unsigned lanes) { return static_cast<unsigned>(__popc(lanes)); }
__device__ __forceinline__ unsigned count_lanes(lane_mask lanes) { return static_cast<unsigned>(__popcll(lanes)); }

/// How many of a tile's keys are counted and sorted, of which those behind the array's end come last: a GPU has code
/// for a whole tile alone, without a branch, and the CPU machine has no work with rows of lanes where no key exists.
__device__ __forceinline__ unsigned sorted_in_tile([[maybe_unused]] unsigned existing, unsigned tile) {
#ifdef __WARPZ_CPU__
  const unsigned lanes = static_cast<unsigned>(warp_size()), rows = (existing + lanes - 1) / lanes;
  return rows * lanes < tile ? rows * lanes : tile;
#else
  return tile;
#endif
}

/// Where a lane's key goes in the tile, and the next one with the same digit.
struct key_places {
  unsigned place, behind;
};

/// What is said of a key that has a digit and counts as one.
template <class _Tp>
struct digit_pass {
  unsigned number;  ///< of the digit, the least significant one first

  __device__ __forceinline__ unsigned digit(_Tp key) const { return digit_of(key, number); }
  __device__ __forceinline__ unsigned count_of(_Tp, unsigned, unsigned) const { return 1; }
  __device__ __forceinline__ key_places places(unsigned next, warp_lanes same, warp_lanes lower, unsigned,
                                               const site&) const {
    return {next + count_lanes(same & lower), next + count_lanes(same)};
  }
};

/// The keys of a warp, in so many rows of one a lane.
template <class _Tp, unsigned count = sort_items<_Tp>>
struct warp_keys {
  static constexpr unsigned tile = count * device::block_threads;  ///< keys of the block
  /// Where shared memory has no room for all, they go through it in so many parts.
  static constexpr unsigned parts = static_cast<unsigned>(parts_of(count, sort_block_items<_Tp>)), part = tile / parts;
  static_assert(tile % parts == 0 && tile <= 1U << 16, "parts are alike, and two places fit into a word");
  _Tp key[count];
  unsigned places[parts == 1 ? 1 : (count + 1) / 2];  ///< in the tile, two in a word; set where there are parts
  unsigned rows;                                      ///< that are sorted

  __device__ __forceinline__ void load(const _Tp* from, unsigned existing) {
    const unsigned lanes = static_cast<unsigned>(warp_size()), warp_first = warp_in_tile() * count * lanes;
    const unsigned first = warp_first + static_cast<unsigned>(lane_id()), sorted = sorted_in_tile(existing, tile);
    rows = sorted < warp_first ? 0 : (sorted - warp_first) / lanes;
    if (existing == tile) {
      WARPZ_UNROLL
      for (unsigned i = 0; i < count; ++i) key[i] = from[first + i * lanes];
      return;
    }
    WARPZ_UNROLL
    for (unsigned i = 0; i < count; ++i) {
      key[i] = first + i * lanes < existing ? from[first + i * lanes] : last_key<_Tp>();
    }
  }

  /// Counts the warp's digits. All its lanes take part.
  template <class _Pass>
  __device__ __forceinline__ void count_digits(unsigned (&counts)[digit_values], _Pass& pass, const site& at) const {
    const unsigned lanes = static_cast<unsigned>(warp_size());
    for (unsigned digit = static_cast<unsigned>(lane_id()); digit < digit_values; digit += lanes) counts[digit] = 0;
    warp_barrier(full_mask, at);
    WARPZ_UNROLL
    for (unsigned i = 0; i < count; ++i) {
      if (is_sorted(i)) atomicAdd(&counts[pass.digit(key[i])], pass.count_of(key[i], i, place_of(i)));
    }
  }

  /// Writes the keys of the first part to their places, of which `next` has the first for each digit. All lanes of the
  /// warp take part.
  template <class _Pass>
  __device__ __forceinline__ void store(_Tp* to, unsigned (&next)[digit_values], const _Pass& pass, const site& at) {
    const warp_lanes lower = (warp_lanes{1} << lane_id()) - 1;
    WARPZ_UNROLL
    for (unsigned i = 0; i < count; ++i) {
      if (!is_sorted(i)) continue;
      const unsigned digit = pass.digit(key[i]);
      const warp_lanes same = match_bits<digit_bits>(digit, at);
      const unsigned first = next[digit];
      const auto [place, behind] = pass.places(first, same, lower, i, at);
      warp_barrier(full_mask, at);
      if constexpr (parts == 1) {
        to[place] = key[i];
      } else {
        if (place < part) to[place] = key[i];
        places[i / 2] = i % 2 == 0 ? place : places[i / 2] | place << 16;
      }
      if ((same & lower) == 0) next[digit] = behind;
      warp_barrier(full_mask, at);
    }
  }

  /// Writes those of a later part, whose first place is this.
  __device__ __forceinline__ void store_later(_Tp* to, unsigned first) const {
    WARPZ_UNROLL
    for (unsigned i = 0; i < count; ++i) {
      const unsigned place = (places[i / 2] >> i % 2 * 16 & 0xffff) - first;  // wraps
      if (is_sorted(i) && place < part) to[place] = key[i];
    }
  }

 private:
  __device__ __forceinline__ bool is_sorted(unsigned row) const { return this_platform != platform::cpu || row < rows; }
  /// In the tile.
  __device__ __forceinline__ static unsigned place_of(unsigned row) {
    const unsigned lanes = static_cast<unsigned>(warp_size());
    return (warp_in_tile() * count + row) * lanes + static_cast<unsigned>(lane_id());
  }
};

/// Counts the keys of the block's warps by their digits; returns how many have the caller's. All threads of the block
/// take part, in this and in the next function.
template <class _Tp, unsigned rows, class _Pass>
__device__ __forceinline__ unsigned count_in_block(const warp_keys<_Tp, rows>& keys, _Pass& pass, const site& at) {
  const sort_memory<_Tp>& shared = shared_sort_memory<_Tp>();
  keys.count_digits(shared_sort_memory<_Tp>().count[warp_in_tile()], pass, at);
  block_barrier(at);
  unsigned own = 0;
  for (unsigned i = 0; i < warps_in_tile(); ++i) own += shared.count[i][thread_in_tile()];
  return own;
}

/// Makes places of what the warps have counted, from that of the block's first key with the caller's digit on.
template <class _Tp>
__device__ __forceinline__ void set_places(unsigned first, const site& at) {
  for (unsigned i = 0; i < warps_in_tile(); ++i) {
    unsigned& place = shared_sort_memory<_Tp>().count[i][thread_in_tile()];
    const unsigned of_warp = place;
    place = first;
    first += of_warp;
  }
  block_barrier(at);
}

}  // namespace detail
}  // namespace warpz
