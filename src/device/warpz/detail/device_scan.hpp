// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The scan of warpz/device.hpp: each tile is read and written once, and its block looks back for the sum of the tiles
// before (device_look_back.hpp).
#pragma once

#include <hip/hip_runtime.h>

#include <cstddef>

#include "warpz/detail/block_collectives.hpp"
#include "warpz/detail/collectives.hpp"
#include "warpz/detail/device_look_back.hpp"
#include "warpz/detail/device_tile_source.hpp"
#include "warpz/detail/device_tiles.hpp"
#include "warpz/detail/operators.hpp"
#include "warpz/detail/unroll.hpp"
#include "warpz/warp.hpp"

namespace warpz {
namespace detail {

/// The sums of what comes before each of the lane's parts, in the warp's part of the tile; returns the warp's sum.
template <class _Tp>
__device__ __forceinline__ _Tp scan_rows_of_warp(_Tp (&before)[scan_rows], const tile_source<_Tp, scan_rows>& tile,
                                                 const site& at) {
  constexpr unsigned count = access<_Tp>::count;
  const unsigned last_lane = static_cast<unsigned>(warp_size()) - 1;
  _Tp of_lane[scan_rows];
  for (unsigned r = 0; r < scan_rows; ++r) {
    const access<_Tp> part = tile.row(r);
    of_lane[r] = part.element[0];
    for (unsigned i = 1; i < count; ++i) of_lane[r] = plus{}(of_lane[r], part.element[i]);
  }
  _Tp inclusive[scan_rows];
  WARPZ_UNROLL
  for (unsigned r = 0; r < scan_rows; ++r) inclusive[r] = warp::prefix_sum(of_lane[r], at);
  _Tp rows_before = adds_nothing<_Tp>();
  for (unsigned r = 0; r < scan_rows; ++r) {
    before[r] = plus{}(rows_before, exclusive_of<plus>(inclusive[r], of_lane[r], adds_nothing<_Tp>(), at));
    rows_before = plus{}(rows_before, warp::broadcast(inclusive[r], last_lane, at));
  }
  return rows_before;
}

/// The results of a part, behind what comes before it.
template <bool exclusive, class _Tp>
__device__ __forceinline__ access<_Tp> scan_part(access<_Tp> part, _Tp before_tile, _Tp before) {
  constexpr unsigned count = access<_Tp>::count;
  _Tp(&element)[count] = part.element;
  for (unsigned i = 1; i < count; ++i) element[i] = plus{}(element[i - 1], element[i]);
  if constexpr (exclusive) {
    for (unsigned i = count - 1; i > 0; --i) element[i] = plus{}(before, element[i - 1]);
    element[0] = before;
  } else {
    for (unsigned i = 0; i < count; ++i) element[i] = plus{}(before, element[i]);
  }
  for (unsigned i = 0; i < count; ++i) element[i] = plus{}(before_tile, element[i]);
  return part;
}

/// Of each warp's sum: the sum of everything before the warp, in all of its lanes. All threads take part.
template <class _Tp>
__device__ __forceinline__ _Tp before_warp(_Tp of_warp, _Tp start, const tile_sums<_Tp>& sums, const site& at) {
  warp_results<_Tp>& all = shared_warp_results<_Tp>();
  const unsigned warp = warp_in_tile(), warps = warps_in_tile(), lane = static_cast<unsigned>(lane_id());
  if (lane == 0) all.found[warp].set(of_warp);
  block_barrier(at);
  if (warp == 0) {
    const _Tp found = lane < warps ? all.found[lane].get(of_warp) : adds_nothing<_Tp>();
    const _Tp inclusive = warp::prefix_sum(found, at);
    const _Tp of_tile = warp::broadcast(inclusive, warps - 1, at);
    sums.publish(of_tile, at);
    const _Tp in_tile = exclusive_of<plus>(inclusive, found, adds_nothing<_Tp>(), at);
    const _Tp before = plus{}(sums.before(of_tile, start, at), in_tile);
    if (lane < warps) all.result[lane].set(before);
  }
  block_barrier(at);
  return all.result[warp].get(of_warp);
}

template <bool exclusive, class _Tp>
__device__ __forceinline__ void scan_device(_Tp* output, const _Tp* input, std::size_t size, void* state,
                                            const site& at) {
  static_assert(is_number<_Tp> && sizeof(_Tp) >= sizeof(unsigned), "for numbers of 32 and 64 bits");
  require_device_block(at);
  constexpr unsigned length = tile_elements<_Tp, scan_rows>;
  device_counters* const counters = static_cast<device_counters*>(state);
  const std::size_t tiles = parts_in(size, length);
  const _Tp start = exclusive ? zero<_Tp>() : adds_nothing<_Tp>();
  tile_source<_Tp, scan_rows> source(input, size, counters, at);
  for (unsigned tile = source.next(adds_nothing<_Tp>(), at); tile < tiles;
       tile = source.next(adds_nothing<_Tp>(), at)) {
    _Tp before[scan_rows];
    const _Tp of_warp = scan_rows_of_warp(before, source, at);
    source.prefetch();
    const _Tp before_tile = before_warp(of_warp, start, tile_sums<_Tp>(counters + 1, tiles, tile), at);
    source.draw();
    const auto row = [&](unsigned r) { return scan_part<exclusive>(source.row(r), before_tile, before[r]); };
    const std::size_t first = std::size_t{tile} * length;
    store_rows<scan_rows>(output + first, row, existing_in_tile(size, first, length));
  }
}

}  // namespace detail
}  // namespace warpz
