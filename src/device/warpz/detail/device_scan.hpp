// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The scan of warpz/device.hpp: each tile is read and written once, and its block looks back for the sum of the tiles
// before (device_look_back.hpp).
#pragma once

#include <hip/hip_runtime.h>

#include <cstddef>

#include "warpz/detail/block_collectives.hpp"
#include "warpz/detail/collectives.hpp"
#include "warpz/detail/device_look_back.hpp"
#include "warpz/detail/device_tiles.hpp"
#include "warpz/detail/operators.hpp"
#include "warpz/warp.hpp"

namespace warpz {
namespace detail {

/// Scans the warp's rows in place; returns the warp's sum.
template <bool exclusive, class _Tp>
__device__ __forceinline__ _Tp scan_warp(access<_Tp> (&row)[scan_rows], const site& at) {
  constexpr unsigned count = access<_Tp>::count;
  const unsigned last_lane = static_cast<unsigned>(warp_size()) - 1;
  _Tp rows_before = adds_nothing<_Tp>();
  for (unsigned r = 0; r < scan_rows; ++r) {
    _Tp(&element)[count] = row[r].element;
    for (unsigned i = 1; i < count; ++i) element[i] = plus{}(element[i - 1], element[i]);
    const _Tp of_lane = element[count - 1];
    const _Tp inclusive = warp::prefix_sum(of_lane, at);
    const _Tp before = plus{}(rows_before, exclusive_of<plus>(inclusive, of_lane, adds_nothing<_Tp>(), at));
    rows_before = plus{}(rows_before, warp::broadcast(inclusive, last_lane, at));
    if constexpr (exclusive) {
      for (unsigned i = count - 1; i > 0; --i) element[i] = plus{}(before, element[i - 1]);
      element[0] = before;
    } else {
      for (unsigned i = 0; i < count; ++i) element[i] = plus{}(before, element[i]);
    }
  }
  return rows_before;
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
__device__ __forceinline__ void scan_tile(_Tp* output, const _Tp* input, unsigned existing, const tile_sums<_Tp>& sums,
                                          ticket_drawer& tickets, const site& at) {
  constexpr unsigned count = access<_Tp>::count;
  access<_Tp> row[scan_rows];
  load_rows(row, input, existing, adds_nothing<_Tp>());
  const _Tp of_warp = scan_warp<exclusive>(row, at);
  const _Tp start = exclusive ? zero<_Tp>() : adds_nothing<_Tp>();
  const _Tp before = before_warp(of_warp, start, sums, at);
  tickets.draw();
  for (unsigned r = 0; r < scan_rows; ++r) {
    for (unsigned i = 0; i < count; ++i) row[r].element[i] = plus{}(before, row[r].element[i]);
  }
  store_rows(output, row, existing);
}

template <bool exclusive, class _Tp>
__device__ __forceinline__ void scan_device(_Tp* output, const _Tp* input, std::size_t size, void* state,
                                            const site& at) {
  static_assert(is_number<_Tp> && sizeof(_Tp) >= sizeof(unsigned), "for numbers of 32 and 64 bits");
  require_device_block(at);
  constexpr unsigned length = tile_elements<_Tp, scan_rows>;
  device_counters* const counters = static_cast<device_counters*>(state);
  const std::size_t tiles = parts_in(size, length);
  ticket_drawer tickets(counters);
  for (unsigned tile = tickets.drawn(at); tile < tiles; tile = tickets.drawn(at)) {
    const std::size_t first = std::size_t{tile} * length;
    scan_tile<exclusive>(output + first, input + first, existing_in_tile(size, first, length),
                         tile_sums<_Tp>(counters + 1, tiles, tile), tickets, at);
  }
}

}  // namespace detail
}  // namespace warpz
