// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The scan of warpz/device.hpp: each tile is read and written once, and its block looks back for the sum of the tiles
// before (device_look_back.hpp).
#pragma once

#include <hip/hip_runtime.h>

#include <cstddef>

#include "warpz/detail/collectives.hpp"
#include "warpz/detail/device_look_back.hpp"
#include "warpz/detail/device_tile_source.hpp"
#include "warpz/detail/device_tiles.hpp"
#include "warpz/detail/operators.hpp"
#include "warpz/detail/shared_value.hpp"
#include "warpz/detail/unroll.hpp"
#include "warpz/warp.hpp"

namespace warpz {
namespace detail {

template <unsigned count, class _Sum>
__device__ __forceinline__ _Sum sum_of_part(const _Sum (&part)[count]) {
  _Sum sum = part[0];
  WARPZ_UNROLL
  for (unsigned i = 1; i < count; ++i) sum = plus{}(sum, part[i]);
  return sum;
}

/// A part's elements, as they are added up.
template <class _Tp>
__device__ __forceinline__ void widen(wide<_Tp> (&to)[access<_Tp>::count], const access<_Tp>& part) {
  WARPZ_UNROLL
  for (unsigned i = 0; i < access<_Tp>::count; ++i) to[i] = static_cast<wide<_Tp>>(part.get(i));
}

/// Rows that are scanned step by step together: more would take more registers than there are.
inline constexpr unsigned rows_at_once = 4;

/// The sums of what comes before each of the lane's parts, in the warp's part of the tile.
template <class _Tp>
__device__ __forceinline__ void scan_rows_of_warp(wide<_Tp> (&before)[scan_rows],
                                                  const tile_source<_Tp, scan_rows>& tile, const site& at) {
  const unsigned last_lane = static_cast<unsigned>(warp_size()) - 1;
  const wide<_Tp> none = adds_nothing<wide<_Tp>>();
  wide<_Tp> rows_before = none;
  WARPZ_UNROLL
  for (unsigned first = 0; first < scan_rows; first += rows_at_once) {
    const unsigned end = first + rows_at_once < scan_rows ? first + rows_at_once : scan_rows;
    wide<_Tp> part[rows_at_once], inclusive[rows_at_once];
    WARPZ_UNROLL
    for (unsigned r = first; r < end; ++r) {
      wide<_Tp> elements[access<_Tp>::count];
      widen(elements, afresh(tile.row(r)));
      part[r - first] = sum_of_part(elements);
    }
    WARPZ_UNROLL
    for (unsigned r = first; r < end; ++r) inclusive[r - first] = warp::prefix_sum(part[r - first], at);
    WARPZ_UNROLL
    for (unsigned r = first; r < end; ++r) {
      before[r] = plus{}(rows_before, exclusive_of<plus>(inclusive[r - first], part[r - first], none, at));
      rows_before = plus{}(rows_before, warp::broadcast(inclusive[r - first], last_lane, at));
    }
  }
}

/// The results of a part, behind what comes before it.
template <bool exclusive, class _Tp>
__device__ __forceinline__ access<_Tp> scan_part(access<_Tp> part, wide<_Tp> before) {
  constexpr unsigned count = access<_Tp>::count;
  wide<_Tp> element[count];
  widen(element, part);
  WARPZ_UNROLL
  for (unsigned i = 1; i < count; ++i) element[i] = plus{}(element[i - 1], element[i]);
  if constexpr (exclusive) {
    WARPZ_UNROLL
    for (unsigned i = count - 1; i > 0; --i) element[i] = plus{}(before, element[i - 1]);
    element[0] = before;
  } else {
    WARPZ_UNROLL
    for (unsigned i = 0; i < count; ++i) element[i] = plus{}(before, element[i]);
  }
  WARPZ_UNROLL
  for (unsigned i = 0; i < count; ++i) part.set(i, static_cast<_Tp>(element[i]));
  return part;
}

/// The sum of the lane's elements in the tile: those in the same place of each row first.
template <class _Tp>
__device__ __forceinline__ wide<_Tp> sum_of_lane(const tile_source<_Tp, scan_rows>& tile) {
  wide<_Tp> all[access<_Tp>::count];
  widen(all, tile.row(0));
  WARPZ_UNROLL
  for (unsigned r = 1; r < scan_rows; ++r) {
    wide<_Tp> part[access<_Tp>::count];
    widen(part, afresh(tile.row(r)));
    WARPZ_UNROLL
    for (unsigned i = 0; i < access<_Tp>::count; ++i) all[i] = plus{}(all[i], part[i]);
  }
  return sum_of_part(all);
}

/// What the warps of a block find in their parts of a tile.
template <class _Tp>
__device__ __forceinline__ shared_value<_Tp>* shared_warp_sums() {
  __shared__ shared_value<_Tp> all[max_tile_warps];
  return all;
}

/// The tiles of an array that one device has alone.
template <class _Tp>
struct device_tiles {
  using board = device_board<wide<_Tp>>;
  std::size_t tiles;

  /// How many tiles the whole array has.
  __device__ __forceinline__ std::size_t in_all() const { return tiles; }
  /// In the whole array, of the device's own tile with this number.
  __device__ __forceinline__ unsigned number_of(unsigned own) const { return own; }
  __device__ __forceinline__ board published(device_counters* counters) const { return board(counters + 1); }
};

/// Scans the tiles that the device has of an array: all, or as `place` says.
template <bool exclusive, class _Tp, class _Place>
__device__ __forceinline__ void scan_tiles(_Tp* output, const _Tp* input, std::size_t size, void* state,
                                           const _Place& place, const site& at) {
  static_assert(is_element<_Tp>, "for numbers of 8 to 64 bits");
  using sum = wide<_Tp>;
  require_device_block(at);
  constexpr unsigned length = tile_elements<_Tp, scan_rows>;
  const sum start = exclusive ? zero<sum>() : adds_nothing<sum>(), none = adds_nothing<sum>();
  const _Tp no_element = adds_nothing<_Tp>();
  const unsigned warp = warp_in_tile(), warps = warps_in_tile(), lane = static_cast<unsigned>(lane_id());
  device_counters* const counters = static_cast<device_counters*>(state);
  const std::size_t tiles = parts_of(size, length);
  shared_value<sum>* const sum_of = shared_warp_sums<sum>();
  ticket_drawer tickets(counters);
  tile_source<_Tp, scan_rows> source(input, size, tickets, at);
  for (ticket tile = source.next(no_element, at); tile.number < tiles; tile = source.next(no_element, at)) {
    // All that others wait for comes first; the rows are scanned while the block itself would wait.
    const sum of_warp = warp::sum(sum_of_lane(source), at);
    source.prefetch(tile.number);
    if (lane == 0) sum_of[warp].set(of_warp);
    block_barrier(at);
    const sum found = lane < warps ? sum_of[lane].get(of_warp) : none;
    const sum inclusive = warp::prefix_sum(found, at);
    const sum of_tile = warp::broadcast(inclusive, warps - 1, at);
    look_back<sum, typename _Place::board> back(place.published(counters), place.in_all(), place.number_of(tile.number),
                                                tile.launch);
    back.publish(of_tile, at);
    const sum warps_before = warp::broadcast(exclusive_of<plus>(inclusive, found, none, at), warp, at);
    back.ask(start, at);
    sum before[scan_rows];
    scan_rows_of_warp(before, source, at);
    back.wait(of_tile, at);
    block_barrier(at);
    const sum before_warp = plus{}(back.before(of_tile, at), warps_before);
    const auto row = [&](unsigned r) {
      // Elements of 8 bytes are half as many in a row, so that there are registers enough for several rows.
      if constexpr (exclusive && sizeof(_Tp) < 8) end_row();
      return scan_part<exclusive>(afresh(source.row(r)), plus{}(before_warp, before[r]));
    };
    const std::size_t first = std::size_t{tile.number} * length;
    store_rows<scan_rows>(output + first, row, existing_in_tile(size, first, length));
    tickets.draw();
  }
  tickets.finish(tiles);
}

template <bool exclusive, class _Tp>
__device__ __forceinline__ void scan_device(_Tp* output, const _Tp* input, std::size_t size, void* state,
                                            const site& at) {
  const device_tiles<_Tp> all{parts_of(size, tile_elements<_Tp, scan_rows>)};
  scan_tiles<exclusive>(output, input, size, state, all, at);
}

}  // namespace detail
}  // namespace warpz
