// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The radix sort of warpz/device.hpp: least significant digit first, and each pass in one go over the keys (Adinets and
// Merrill, Onesweep: A faster least significant digit radix sort for GPUs, 2022).
//
//     tickets    count the digits of all keys | pass 0: tiles 0, 1, … | pass 1: tiles 0, 1, … | …
//
// A pass moves each tile's keys to where its digits belong: behind those of all lower digits, which were counted in the
// beginning, and behind those of the tiles before, for which a block looks back. It begins when the pass before is
// over.
//
// Forward progress: a block waits for lower tickets only, all of which were taken by blocks that have begun; see
// device_look_back.hpp. In contrast to there, digits are counted, so no order of additions shows in the result: a block
// goes back tile by tile, until it finds one whose sum from the start is known.
//
// A key of 8 bits is its only digit: once all are counted, they are known, and nothing has to be moved.
//
//     tickets    count all keys | write tiles 0, 1, … of what the counts say
#pragma once

#include <hip/hip_runtime.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "warpz/block.hpp"
#include "warpz/detail/device_sort_block.hpp"
#include "warpz/detail/device_sort_tile.hpp"
#include "warpz/detail/device_tiles.hpp"
#include "warpz/detail/sort_keys.hpp"
#include "warpz/detail/sync_platform.hpp"
#include "warpz/detail/unroll.hpp"
#include "warpz/sync.hpp"

namespace warpz {
namespace detail {

/// The state of a sort; zeros at the start.
template <class _Tp>
struct sort_control {
  device_counters counters;
  std::int32_t is_counted;         ///< 1 when `first` is what it says
  std::int32_t done[sizeof(_Tp)];  ///< tiles that a pass has moved
  std::int32_t unused[15 - sizeof(_Tp)];
  unsigned first[sizeof(_Tp)][digit_values];  ///< where the first key with the digit belongs, in each pass
};
static_assert(sizeof(sort_control<int>) == sort_control_words<int> * sizeof(unsigned), "device_state.hpp leaves room");
static_assert(sizeof(sort_control<double>) == sort_control_words<double> * sizeof(unsigned), "and for keys of 64 bits");

/// How many tiles a block has counted, and the first ticket behind them all.
struct counted_tiles {
  unsigned tiles, ticket;
};

/// Counts the digits of all passes, tile by tile. Where the keys go to several arrays, as `array_of(key, its place)`
/// says, each pass has a row of counts for each of them.
template <unsigned arrays, class _Tp, class _ArrayOf>
__device__ __forceinline__ counted_tiles count_tiles(unsigned (&count)[arrays * sizeof(_Tp)][digit_values],
                                                     const _Tp* input, std::size_t size, const _ArrayOf& array_of,
                                                     ticket_drawer& tickets, const site& at) {
  const std::size_t tiles = parts_of(size, sort_tile<_Tp>);
  for (auto& row : count) row[thread_in_tile()] = 0;
  unsigned counted = 0;
  unsigned ticket = tickets.drawn(at).number;
  for (; ticket < tiles; ticket = tickets.drawn(at).number) {
    tickets.draw();
    const std::size_t first = std::size_t{ticket} * sort_tile<_Tp>;
    const unsigned existing = existing_in_tile(size, first, sort_tile<_Tp>);
    access<_Tp> row[sort_rows<_Tp>] WARPZ_SET_IN_LOOP;
    load_rows(row, input + first, existing, _Tp{});
    for_each_key(row, existing, [&](_Tp key, unsigned place) {
      const unsigned array = array_of(key, first + place);
      for (unsigned pass = 0; pass < sizeof(_Tp); ++pass) {
        atomicAdd(&count[pass * arrays + array][digit_of(key, pass)], 1U);
      }
    });
    ++counted;
  }
  return {counted, ticket};
}

/// Counts the digits of all passes; the block that ends this makes places of the counts. Returns the first ticket
/// behind.
template <class _Tp>
__device__ __forceinline__ unsigned count_digits(const _Tp* input, std::size_t size, sort_control<_Tp>* control,
                                                 ticket_drawer& tickets, std::size_t tiles, const site& at) {
  static_assert(sizeof(_Tp) <= max_tile_warps, "the warps' counts are large enough for those of all passes");
  auto& count = reinterpret_cast<unsigned(&)[sizeof(_Tp)][digit_values]>(shared_sort_memory<_Tp>().count);
  const unsigned digit = thread_in_tile();
  const auto [counted, ticket] = count_tiles<1>(
      count, input, size, [](_Tp, std::size_t) { return 0U; }, tickets, at);
  // Each block that has counted adds what it has, and the one that completes the count makes places of it.
  if (counted == 0) return ticket;
  block_barrier(at);
  for (unsigned pass = 0; pass < sizeof(_Tp); ++pass) atomicAdd(&control->first[pass][digit], count[pass][digit]);
  threadfence<scope::device>(at);
  block_barrier(at);
  bool is_last = false;
  if (thread_in_tile() == 0) is_last = atomicAdd(&control->counters.arrived, counted) + counted == tiles;
  if (!block::broadcast(is_last, 0, at)) return ticket;
  threadfence<scope::device>(at);
  for (unsigned pass = 0; pass < sizeof(_Tp); ++pass) {
    control->first[pass][digit] = block::prefix_sum<true>(control->first[pass][digit], at);
  }
  block_barrier(at);
  if (thread_in_tile() == 0) store_release(&control->is_counted, 1, at);
  return ticket;
}

/// A pass that moves all keys to one array; _Target is what has its elements, such as a pointer.
///
/// What it tells other blocks is one word for each tile and digit: the pass and whether it is the sum from the start,
/// above; below, how many keys have the digit. What another pass has left counts for nothing.
template <class _Tp, class _Target = _Tp*>
struct sort_pass : digit_pass<_Tp> {
  using sum = unsigned;
  static constexpr unsigned missing = 1;  ///< what a key that does not exist counts

  const unsigned* first;  ///< where the first key with each digit belongs
  _Target target;

  __device__ __forceinline__ unsigned first_of(unsigned digit) const { return first[digit]; }
  __device__ __forceinline__ static unsigned sum_of(unsigned count) { return count; }
  __device__ __forceinline__ unsigned long long word(bool is_from_start, unsigned keys) const {
    return static_cast<unsigned long long>(2 * (this->number + 1) + is_from_start) << 32 | keys;
  }
  __device__ __forceinline__ bool is_of_this(unsigned long long word) const { return word >> 33 == this->number + 1; }
  __device__ __forceinline__ static bool is_from_start(unsigned long long word) { return (word >> 32 & 1) != 0; }
  __device__ __forceinline__ static unsigned sum_in(unsigned long long word) { return static_cast<unsigned>(word); }

  /// Called by each thread for its digit, before the block's keys are in their order.
  __device__ __forceinline__ void begin_tile(unsigned, unsigned) const {}
  /// From the tile's places to the array's: where its keys with the digit begin in both.
  __device__ __forceinline__ void set_offset(unsigned place, unsigned in_tile) const {
    shared_sort_memory<_Tp>().offset[thread_in_tile()] = place - in_tile;
  }
  /// Moves a key that is at this place in the tile.
  __device__ __forceinline__ void put(unsigned place, _Tp moved) const {
    target[shared_sort_memory<_Tp>().offset[this->digit(moved)] + place] = moved;
  }
};

inline constexpr unsigned looked_back_at_once = 2;

/// The place of the tile's first key with the caller's digit, of which the tile has `own`.
template <class _Pass>
__device__ __forceinline__ typename _Pass::sum first_place(const _Pass& pass, unsigned long long* words, unsigned tile,
                                                           typename _Pass::sum own, const site& at) {
  const unsigned digit = thread_in_tile();
  typename _Pass::sum before = tile == 0 ? pass.first_of(digit) : 0;
  const unsigned long long* const mine = words + digit;
  bool is_from_start = tile == 0;
  for (unsigned end = tile, at_once = looked_back_at_once; !is_from_start;) {
    // Several at once: a load takes much longer than an addition. Before tile 0 it is that one again.
    unsigned long long found[looked_back_at_once] = {};
    for (unsigned i = 0; i < looked_back_at_once; ++i) {
      if (i < at_once) found[i] = load_relaxed(&mine[std::size_t{end > i ? end - 1 - i : 0} * digit_values], at);
    }
    unsigned known = 0;
    for (unsigned i = 0; i < looked_back_at_once; ++i) {
      if (i >= at_once || is_from_start || known < i || !pass.is_of_this(found[i])) continue;
      ++known;
      before += pass.sum_in(found[i]);
      is_from_start = pass.is_from_start(found[i]);
    }
    end -= known;
    // A block that has to wait asks for one tile: all those that wait would take the L2 cache's whole rate.
    at_once = known == 0 ? 1 : looked_back_at_once;
  }
  store_relaxed(&words[std::size_t{tile} * digit_values + digit], pass.word(true, before + own), at);
  return before;
}

/// Moves the keys of one tile, of which so many exist, to their places for this pass. All threads take part; each has a
/// digit of its own. One of them calls ask_ahead() when the tile has come.
template <class _Tp, class _Pass, class _AskAhead>
__device__ __forceinline__ void sort_one_tile(_Pass& pass, const _Tp* source, unsigned existing, unsigned tile,
                                              const _AskAhead& ask_ahead, unsigned long long* words,
                                              ticket_drawer& tickets, const site& at) {
  sort_memory<_Tp>& shared = shared_sort_memory<_Tp>();
  const unsigned thread = thread_in_tile();
  warp_keys<_Tp> keys WARPZ_SET_IN_LOOP;
  keys.load(source, existing);
  // Told before the keys are sorted, so that the tiles behind wait less. Of the last digit are those that don't exist.
  unsigned own =
      thread == digit_values - 1 ? (existing - sorted_in_tile(existing, sort_tile<_Tp>)) * _Pass::missing : 0;
  own += count_in_block(keys, pass, at);
  const auto own_sum = _Pass::sum_of(own);
  if (tile != 0) store_relaxed(&words[std::size_t{tile} * digit_values + thread], pass.word(false, own_sum), at);
  if (thread == 0) ask_ahead();
  const unsigned first_of_digit = block::prefix_sum<true, device::block_threads>(own, at);
  pass.begin_tile(first_of_digit, own);
  set_places<_Tp>(first_of_digit, at);
  keys.store(shared.key, shared.count[warp_in_tile()], pass, at);
  pass.set_offset(first_place(pass, words, tile, own_sum, at), first_of_digit);
  block_barrier(at);
  for (unsigned first = 0;;) {
    const bool is_last = first + keys.part == keys.tile;
    if (is_last) tickets.draw();
    if (existing == keys.tile) {
      WARPZ_UNROLL
      for (unsigned i = 0; i < keys.part; i += device::block_threads)
        pass.put(first + i + thread, shared.key[i + thread]);
    } else {
      for (unsigned i = thread; i < keys.part && first + i < existing; i += device::block_threads) {
        pass.put(first + i, shared.key[i]);
      }
    }
    if (is_last) break;
    first += keys.part;
    block_barrier(at);
    keys.store_later(shared.key, first);
    block_barrier(at);
  }
}

/// In KiB for each multiprocessor: less than other operations do, as lines that are partly written need the L2 cache,
/// too (docs/benchmarks.md).
inline constexpr unsigned prefetched_by_sort = 40;

/// sort_one_tile() for a tile of an array, whose first key is `tile_first`.
template <class _Tp, class _Pass>
__device__ __forceinline__ void sort_tile_of(_Pass& pass, const _Tp* source, std::size_t size, unsigned tile,
                                             unsigned long long* words, ticket_drawer& tickets, const site& at) {
  const std::size_t first = std::size_t{tile} * sort_tile<_Tp>;
  sort_one_tile(
      pass, source + first, existing_in_tile(size, first, sort_tile<_Tp>), tile,
      [&] { prefetch_later_tile<sort_tile<_Tp>, prefetched_by_sort>(source, size, first); }, words, tickets, at);
}

/// Waits until the counter is `wanted`; what was done before it became so is seen after. All threads take part.
__device__ __forceinline__ void wait_for(const std::int32_t* counter, std::int32_t wanted, const site& at) {
  if (thread_in_tile() == 0) {
    while (load_acquire(counter, at) != wanted) {
    }
  }
  block_barrier(at);
}

/// Tells that the block has moved so many tiles in the pass before `end`: whoever sees all of them sees their keys,
/// too.
template <class _Tp>
__device__ __forceinline__ void tell_moved(int tiles, sort_control<_Tp>* control, unsigned end, const site& at) {
  threadfence<scope::device>(at);
  block_barrier(at);
  if (thread_in_tile() == 0 && tiles != 0) atomicAdd(&control->done[end - 1], tiles);
}

/// Counts keys of 8 bits, and writes as many of each as there are. No tile is written before all are read.
template <class _Tp>
__device__ __forceinline__ void sort_by_counts(_Tp* output, const _Tp* input, std::size_t size,
                                               sort_control<_Tp>* control, const site& at) {
  const std::size_t tiles = parts_of(size, sort_tile<_Tp>);
  ticket_drawer tickets(&control->counters);
  std::size_t ticket = count_digits(input, size, control, tickets, tiles, at);
  if (ticket >= 2 * tiles) return;
  wait_for(&control->is_counted, 1, at);
  auto& first_of = shared_sort_memory<_Tp>().offset;
  first_of[thread_in_tile()] = control->first[0][thread_in_tile()];
  block_barrier(at);
  for (; ticket < 2 * tiles; ticket = tickets.drawn(at).number) {
    tickets.draw();
    const std::size_t first = (ticket - tiles) * sort_tile<_Tp>;
    const unsigned mine = static_cast<unsigned>(first) + first_in_tile<_Tp, sort_rows<_Tp>>();
    const auto row = [&](unsigned r) { return keys_at<_Tp>(mine + r * row_stride<_Tp>(), first_of); };
    store_rows<sort_rows<_Tp>>(output + first, row, existing_in_tile(size, first, sort_tile<_Tp>));
  }
}

template <class _Tp>
__device__ __forceinline__ void sort_by_digits(_Tp* output, const _Tp* input, std::size_t size,
                                               sort_control<_Tp>* control, const site& at) {
  const std::size_t tiles = parts_of(size, sort_tile<_Tp>);
  auto* const words = reinterpret_cast<unsigned long long*>(control + 1);
  _Tp* const between = reinterpret_cast<_Tp*>(words + tiles * digit_values);
  ticket_drawer tickets(&control->counters);
  std::size_t ticket = count_digits(input, size, control, tickets, tiles, at);
  unsigned known = 0;  // passes that are known to have begun
  int moved = 0;       // tiles of the last of them
  for (; ticket < (sizeof(_Tp) + 1) * tiles; ticket = tickets.drawn(at).number) {
    const unsigned pass = static_cast<unsigned>(ticket / tiles) - 1;
    const unsigned tile = static_cast<unsigned>(ticket % tiles);
    if (pass >= known) {
      tell_moved(moved, control, known, at);
      moved = 0;
      wait_for(pass == 0 ? &control->is_counted : &control->done[pass - 1],
               pass == 0 ? 1 : static_cast<std::int32_t>(tiles), at);
      known = pass + 1;
    }
    const _Tp* const source = pass == 0 ? input : pass % 2 == 1 ? between : output;
    const sort_pass<_Tp> to_places{{pass}, control->first[pass], pass % 2 == 0 ? between : output};
    sort_tile_of(to_places, source, size, tile, words, tickets, at);
    ++moved;
  }
  tell_moved(moved, control, known, at);
}

/// The caller's block is this one of those of the launch.
template <class _Tp>
__device__ __forceinline__ void sort_device(_Tp* output, const _Tp* input, std::size_t size, void* state,
                                            unsigned block, const site& at) {
  static_assert(is_element<_Tp>, "for numbers of 8 to 64 bits");
  require_device_block(at);
  if (size <= sort_block_keys<_Tp>) {
    if (block == 0) sort_in_block(output, input, static_cast<unsigned>(size), at);
    return;
  }
  sort_control<_Tp>* const control = static_cast<sort_control<_Tp>*>(state);
  if constexpr (sizeof(_Tp) == 1) {
    sort_by_counts(output, input, size, control, at);
  } else {
    sort_by_digits(output, input, size, control, at);
  }
}

}  // namespace detail
}  // namespace warpz
