// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Partition and compaction of warpz/device.hpp: each tile is sorted out in shared memory, its block looks back for how
// many elements the tiles before it have chosen (device_look_back.hpp), and both parts go out as consecutive elements.
//
// Where the rest begins is not known before all tiles are counted. So a stable partition hands out each tile twice: all
// to be counted, in chunks, then all to be moved. A block that moves the first one waits for those that count, which
// have begun.
#pragma once

#include <hip/hip_runtime.h>

#include <cstddef>

#include "warpz/block.hpp"
#include "warpz/detail/device_look_back.hpp"
#include "warpz/detail/device_tiles.hpp"
#include "warpz/detail/operators.hpp"
#include "warpz/warp.hpp"

namespace warpz {
namespace detail {

template <class _Tp>
struct split_memory {
  _Tp element[tile_elements<_Tp, split_rows<_Tp>>];
  unsigned of_warp[max_tile_warps];
};

template <class _Tp>
__device__ __forceinline__ split_memory<_Tp>& shared_split_memory() {
  __shared__ split_memory<_Tp> all;
  return all;
}

/// Which of the lane's elements exist and are chosen, as bits: those of the first row first.
template <class _Tp, class _Predicate>
__device__ __forceinline__ unsigned chosen_elements(const access<_Tp> (&row)[split_rows<_Tp>], unsigned existing,
                                                    const _Predicate& p) {
  constexpr unsigned count = access<_Tp>::count;
  const unsigned first = first_in_tile<_Tp, split_rows<_Tp>>(), stride = row_stride<_Tp>();
  unsigned chosen = 0;
  for (unsigned r = 0; r < split_rows<_Tp>; ++r) {
    for (unsigned i = 0; i < count; ++i) {
      const bool exists = first + r * stride + i < existing;
      if (exists && p(row[r].get(i))) chosen |= 1U << (r * count + i);
    }
  }
  hide_origin(chosen);
  return chosen;
}

/// How many of the lane's elements exist and are chosen. Of wide ones without a bit for each: then those whose choice
/// takes long do not keep the memory waiting.
template <class _Tp, class _Predicate>
__device__ __forceinline__ unsigned count_chosen(const access<_Tp> (&row)[split_rows<_Tp>], unsigned existing,
                                                 const _Predicate& p) {
  if constexpr (is_narrow<_Tp>) return static_cast<unsigned>(__popc(chosen_elements(row, existing, p)));
  constexpr unsigned count = access<_Tp>::count;
  const unsigned first = first_in_tile<_Tp, split_rows<_Tp>>(), stride = row_stride<_Tp>();
  unsigned chosen = 0;
  for (unsigned r = 0; r < split_rows<_Tp>; ++r) {
    for (unsigned i = 0; i < count; ++i) {
      if (first + r * stride + i < existing && p(row[r].get(i))) ++chosen;
    }
  }
  return chosen;
}

/// How many chosen elements of the warp come before each of the lane's rows, 16 bits each; returns how many the warp
/// has.
template <class _Tp>
__device__ __forceinline__ unsigned rank_rows(unsigned (&before)[split_rows<_Tp> / 2], unsigned chosen,
                                              const site& at) {
  constexpr unsigned count = access<_Tp>::count, row_bits = (1U << count) - 1;
  const unsigned last_lane = static_cast<unsigned>(warp_size()) - 1;
  unsigned of_warp = 0;
  // Two rows in one scan: a row of a warp has at most 1,024 elements.
  for (unsigned r = 0; r < split_rows<_Tp>; r += 2) {
    const unsigned low = static_cast<unsigned>(__popc(chosen >> r * count & row_bits));
    const unsigned high = static_cast<unsigned>(__popc(chosen >> (r + 1) * count & row_bits));
    const unsigned both = low | high << 16;
    const unsigned exclusive = warp::prefix_sum<true>(both, at);
    const unsigned of_rows = warp::broadcast(exclusive + both, last_lane, at);
    const unsigned before_high = of_warp + (of_rows & 0xffffU);
    before[r / 2] = exclusive + (before_high << 16 | of_warp);
    of_warp = before_high + (of_rows >> 16);
  }
  return of_warp;
}

/// Moves one tile: put(is_chosen, rank, element) for each of its elements, with its rank among those of its kind; for
/// the chosen ones alone without `moves_rest`. Before that tell(count) in all threads: how many are chosen up to the
/// tile's end.
template <bool moves_rest, class _Tp, class _Predicate, class _Tell, class _Put>
__device__ __forceinline__ void split_tile(const _Tp* input, std::size_t size, unsigned tile, look_back<unsigned> back,
                                           const _Predicate& p, const _Tell& tell, const _Put& put, const site& at) {
  constexpr unsigned count = access<_Tp>::count, length = tile_elements<_Tp, split_rows<_Tp>>;
  const std::size_t tile_first = std::size_t{tile} * length;
  const unsigned existing = existing_in_tile(size, tile_first, length);
  split_memory<_Tp>& shared = shared_split_memory<_Tp>();
  const unsigned warp = warp_in_tile(), warps = warps_in_tile();
  access<_Tp> row[split_rows<_Tp>];
  load_rows(row, input + tile_first, existing, _Tp{});
  const unsigned chosen = chosen_elements(row, existing, p);
  unsigned before[split_rows<_Tp> / 2];
  const unsigned of_warp = rank_rows<_Tp>(before, chosen, at);
  if (lane_id() == 0) shared.of_warp[warp] = of_warp;
  block_barrier(at);

  unsigned warps_before = 0, of_tile = 0;
  for (unsigned i = 0; i < warps; ++i) {
    if (i == warp) warps_before = of_tile;
    of_tile += shared.of_warp[i];
  }
  back.publish(of_tile, at);
  if (thread_in_tile() == 0) prefetch_later_tile<length>(input, size, tile_first);
  const unsigned first = first_in_tile<_Tp, split_rows<_Tp>>(), stride = row_stride<_Tp>();
  for (unsigned r = 0; r < split_rows<_Tp>; ++r) {
    unsigned rank = warps_before + (before[r / 2] >> r % 2 * 16 & 0xffffU);
    for (unsigned i = 0; i < count; ++i) {
      const unsigned place = first + r * stride + i;
      const bool is_chosen = (chosen >> (r * count + i) & 1) != 0;
      const unsigned target = is_chosen ? rank : of_tile + place - rank;
      if (moves_rest ? place < existing : is_chosen) shared.element[target] = row[r].get(i);
      rank += is_chosen;
    }
  }
  back.ask(0, at);
  back.wait(of_tile, at);
  block_barrier(at);

  const unsigned chosen_before = back.before(of_tile, at), end = moves_rest ? existing : of_tile;
  tell(chosen_before + of_tile);
  const std::size_t rest_before = tile_first - chosen_before;
  for (unsigned i = thread_in_tile(); i < end; i += device::block_threads) {
    const bool is_chosen = i < of_tile;
    put(is_chosen, is_chosen ? std::size_t{chosen_before} + i : rest_before + (i - of_tile), shared.element[i]);
  }
}

/// How many elements of some tiles are chosen, and how many tiles that are, in one number; all tiles together once all
/// have been added.
__device__ __forceinline__ void add_counted(device_counters* counters, unsigned launch, unsigned tiles,
                                            unsigned chosen) {
  atomicAdd(&counters->counted[launch % 2], static_cast<unsigned long long>(tiles) << 32 | chosen);
}

/// How many are chosen of all tiles, in all threads of the block, which all take part. Waits until all were counted:
/// each of them was taken before by a block that has begun.
__device__ __forceinline__ unsigned wait_for_count(const device_counters* counters, unsigned launch, std::size_t tiles,
                                                   const site& at) {
  unsigned chosen = 0;
  if (thread_in_tile() == 0) {
    unsigned long long found = 0;
    do {
      found = load_relaxed(&counters->counted[launch % 2], at);
    } while (found >> 32 != tiles);
    chosen = static_cast<unsigned>(found);
  }
  return block::broadcast(chosen, 0, at);
}

/// The parts of an array that blocks count: chunks of one to four tiles. The more a block loads in one go, the less
/// time is lost between two of them, as long as each block has several.
struct counted_chunks {
  std::size_t tiles;     ///< of the whole array
  std::size_t in_chunk;  ///< but for the last one

  __device__ __forceinline__ explicit counted_chunks(std::size_t all) : tiles(all), in_chunk(1) {
    constexpr std::size_t of_block = 4, most = 4;
    const std::size_t wanted = all / (std::size_t{gridDim.x} * of_block);
    if (wanted > 1) in_chunk = wanted < most ? wanted : most;
  }
  __device__ __forceinline__ std::size_t count() const { return parts_of(tiles, in_chunk); }
  __device__ __forceinline__ std::size_t tiles_of(std::size_t chunk) const {
    const std::size_t left = tiles - chunk * in_chunk;
    return left < in_chunk ? left : in_chunk;
  }
};

/// Counts chunks as long as there are any that nobody counts; returns the first ticket behind them. The first chunks
/// come last: their tiles are moved first, and lie in the cache then.
template <class _Tp, class _Predicate>
__device__ __forceinline__ ticket count_tiles(const _Tp* input, std::size_t size, device_counters* counters,
                                              ticket_drawer& tickets, const counted_chunks& chunks, const _Predicate& p,
                                              const site& at) {
  constexpr unsigned length = tile_elements<_Tp, split_rows<_Tp>>;
  unsigned counted = 0, chosen = 0;
  ticket drawn = tickets.drawn(at);
  for (; drawn.number < chunks.count(); drawn = tickets.drawn(at)) {
    tickets.draw();
    const std::size_t chunk = chunks.count() - 1 - drawn.number, tiles = chunks.tiles_of(chunk);
    std::size_t first = chunk * chunks.in_chunk * length;
    for (std::size_t tile = 0; tile < tiles; ++tile, first += length) {
      const unsigned existing = existing_in_tile(size, first, length);
      access<_Tp> row[split_rows<_Tp>];
      load_rows(row, input + first, existing, _Tp{});
      chosen += count_chosen(row, existing, p);
    }
    counted += static_cast<unsigned>(tiles);
  }
  const unsigned of_block = block::sum<false>(chosen, at);
  if (thread_in_tile() == 0 && counted != 0) add_counted(counters, drawn.launch, counted, of_block);
  return drawn;
}

/// Splits the array in one pass.
template <bool moves_rest, class _Tp, class _Predicate, class _Put>
__device__ __forceinline__ std::size_t split_device(const _Tp* input, std::size_t size, const _Predicate& p,
                                                    const _Put& put, void* state, const site& at) {
  static_assert(is_element<_Tp>, "for numbers of 8 to 64 bits");
  require_device_block(at);
  device_counters* const counters = static_cast<device_counters*>(state);
  const std::size_t tiles = parts_of(size, tile_elements<_Tp, split_rows<_Tp>>);
  ticket_drawer tickets(counters);
  ticket drawn = tickets.drawn(at);
  for (; drawn.number < tiles; drawn = tickets.drawn(at)) {
    const look_back<unsigned> back(device_board<unsigned>(counters + 1), tiles, drawn.number, drawn.launch);
    // All blocks wait for the last tile's count.
    const auto tell = [=](unsigned up_to_here) {
      if (drawn.number != tiles - 1 || thread_in_tile() != 0) return;
      add_counted(counters, drawn.launch, static_cast<unsigned>(tiles), up_to_here);
    };
    split_tile<moves_rest>(input, size, drawn.number, back, p, tell, put, at);
    tickets.draw();
  }
  tickets.finish(tiles);
  return wait_for_count(counters, drawn.launch, tiles, at);
}

/// Counts first, so that the rest follows in its order.
template <class _Tp, class _Predicate>
__device__ __forceinline__ std::size_t partition_device(_Tp* output, const _Tp* input, std::size_t size,
                                                        const _Predicate& p, void* state, const site& at) {
  static_assert(is_element<_Tp>, "for numbers of 8 to 64 bits");
  require_device_block(at);
  device_counters* const counters = static_cast<device_counters*>(state);
  const std::size_t tiles = parts_of(size, tile_elements<_Tp, split_rows<_Tp>>);
  ticket_drawer tickets(counters);
  const counted_chunks chunks(tiles);
  ticket drawn = count_tiles(input, size, counters, tickets, chunks, p, at);
  const std::size_t chosen = wait_for_count(counters, drawn.launch, tiles, at);
  const auto put = [=](bool is_chosen, std::size_t rank, _Tp v) {
    store_streaming(output + (is_chosen ? rank : chosen + rank), v);
  };
  const std::size_t all_tickets = chunks.count() + tiles;
  for (; drawn.number < all_tickets; drawn = tickets.drawn(at)) {
    const unsigned tile = drawn.number - static_cast<unsigned>(chunks.count());
    const look_back<unsigned> back(device_board<unsigned>(counters + 1), tiles, tile, drawn.launch);
    split_tile<true>(
        input, size, tile, back, p, [](unsigned) {}, put, at);
    tickets.draw();
  }
  tickets.finish(all_tickets);
  return chosen;
}

}  // namespace detail
}  // namespace warpz
