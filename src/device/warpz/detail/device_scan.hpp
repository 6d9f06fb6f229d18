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

/// What comes before each of the lane's rows within its warp, given the rows' running sums; returns the warp's sum.
template <class _Tp>
__device__ __forceinline__ _Tp scan_rows(_Tp (&before)[tile_rows], const access<_Tp> (&row)[tile_rows],
                                         const site& at) {
  constexpr unsigned last = access<_Tp>::count - 1;
  const unsigned last_lane = static_cast<unsigned>(warp_size()) - 1;
  _Tp inclusive[tile_rows];
  for (unsigned r = 0; r < tile_rows; ++r) inclusive[r] = warp::prefix_sum(row[r].element[last], at);
  _Tp rows_before = adds_nothing<_Tp>();
  for (unsigned r = 0; r < tile_rows; ++r) {
    const _Tp in_row = exclusive_of<plus>(inclusive[r], row[r].element[last], adds_nothing<_Tp>(), at);
    before[r] = plus{}(rows_before, in_row);
    rows_before = plus{}(rows_before, warp::broadcast(inclusive[r], last_lane, at));
  }
  return rows_before;
}

/// Of each warp's sum: the sum of everything before the warp, in all of its lanes. All threads take part.
template <class _Tp>
__device__ __forceinline__ _Tp before_warp(_Tp of_warp, _Tp start, const tile_sums<_Tp>& sums, const site& at) {
  warp_results<_Tp>& all = shared_warp_results<_Tp>();
  const unsigned warp = warp_in_block(), warps = block_warps(), lane = static_cast<unsigned>(lane_id());
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
                                          const site& at) {
  constexpr unsigned count = access<_Tp>::count;
  access<_Tp> row[tile_rows];
  load_rows(row, input, existing, adds_nothing<_Tp>());
  for (unsigned r = 0; r < tile_rows; ++r) {
    for (unsigned i = 1; i < count; ++i) row[r].element[i] = plus{}(row[r].element[i - 1], row[r].element[i]);
  }
  _Tp before[tile_rows];
  const _Tp of_warp = scan_rows(before, row, at);
  const _Tp start = exclusive ? zero<_Tp>() : adds_nothing<_Tp>();
  const _Tp all_before = before_warp(of_warp, start, sums, at);
  for (unsigned r = 0; r < tile_rows; ++r) {
    const _Tp offset = plus{}(all_before, before[r]);
    for (unsigned i = count; i-- > 0;) {
      if constexpr (exclusive) {
        row[r].element[i] = i == 0 ? offset : plus{}(offset, row[r].element[i == 0 ? 0 : i - 1]);
      } else {
        row[r].element[i] = plus{}(offset, row[r].element[i]);
      }
    }
  }
  store_rows(output, row, existing);
}

template <bool exclusive, class _Tp>
__device__ __forceinline__ void scan_device(_Tp* output, const _Tp* input, std::size_t size, void* state,
                                            const site& at) {
  static_assert(is_number<_Tp> && sizeof(_Tp) >= sizeof(unsigned), "for numbers of 32 and 64 bits");
  require_device_block(at);
  constexpr unsigned length = tile_elements<_Tp>;
  device_counters* const counters = static_cast<device_counters*>(state);
  const std::size_t tiles = parts_in(size, length);
  for (unsigned tile = take_ticket(counters, at); tile < tiles; tile = take_ticket(counters, at)) {
    const std::size_t first = std::size_t{tile} * length;
    scan_tile<exclusive>(output + first, input + first, existing_in_tile(size, first, length),
                         tile_sums<_Tp>(counters + 1, tiles, tile), at);
  }
}

}  // namespace detail
}  // namespace warpz
