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
#include <utility>

#include "warpz/block.hpp"
#include "warpz/detail/device_split.hpp"
#include "warpz/detail/device_tiles.hpp"
#include "warpz/detail/sync_platform.hpp"
#include "warpz/detail/unroll.hpp"
#include "warpz/detail/vendor_paths.hpp"
#include "warpz/lane_mask.hpp"
#include "warpz/sync.hpp"

namespace warpz {
namespace detail {

template <std::size_t bytes>
using small_word = std::conditional_t<bytes == 1, std::uint8_t, std::uint16_t>;

/// A key's bits, in whose order keys are sorted.
template <class _Tp>
using key_bits = std::conditional_t<sizeof(_Tp) <= 2, small_word<sizeof(_Tp)>,
                                    std::conditional_t<sizeof(_Tp) == 4, std::uint32_t, std::uint64_t>>;

template <class _Tp>
inline constexpr bool is_float_key = std::is_floating_point<_Tp>::value || is_half<_Tp> || is_bfloat16<_Tp>;

/// Of a float without its sign. All that is greater is a NaN.
template <class _Tp>
__device__ constexpr key_bits<_Tp> infinity_bits() {
  if constexpr (sizeof(_Tp) == 2) {
    return is_half<_Tp> ? 0x7c00 : 0x7f80;
  } else if constexpr (sizeof(_Tp) == 4) {
    return 0x7f800000;
  } else {
    return 0x7ff0000000000000;
  }
}

/// Of negative numbers the sign turns, and of floats all bits; NaNs come last.
template <class _Tp>
__device__ __forceinline__ key_bits<_Tp> ordered_bits(_Tp key) {
  using bits = key_bits<_Tp>;
  constexpr bits sign = static_cast<bits>(bits{1} << (8 * sizeof(bits) - 1)), all = static_cast<bits>(~bits{0});
  bits found;
  __builtin_memcpy(&found, &key, sizeof key);
  if constexpr (is_float_key<_Tp>) {
    if ((found & ~sign & all) > infinity_bits<_Tp>()) return all;
    return static_cast<bits>((found & sign) != 0 ? ~found : found | sign);
  } else {
    return static_cast<bits>(std::is_signed<_Tp>::value ? found ^ sign : found);
  }
}

/// A key that comes last, by all of its digits.
template <class _Tp>
__device__ __forceinline__ _Tp last_key() {
  constexpr bool has_sign = std::is_integral<_Tp>::value && std::is_signed<_Tp>::value;
  const key_bits<_Tp> bits = static_cast<key_bits<_Tp>>(static_cast<key_bits<_Tp>>(~key_bits<_Tp>{0}) >> has_sign);
  _Tp key;
  __builtin_memcpy(&key, &bits, sizeof key);
  return key;
}

template <class _Tp>
__device__ __forceinline__ unsigned digit_of(_Tp key, unsigned pass) {
  return static_cast<unsigned>(ordered_bits(key) >> pass * digit_bits) & (digit_values - 1);
}

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

/// A tile's rows, where it is loaded by them.
template <class _Tp>
inline constexpr unsigned sort_rows = sort_items<_Tp> / access_elements<_Tp>;

template <class _Tp>
struct sort_memory {
  static_assert(tile_elements<_Tp, sort_rows<_Tp>> == sort_tile<_Tp>, "rows make up a tile");
  _Tp key[sizeof(_Tp) == 1 ? 1 : sort_tile<_Tp>];  ///< in the order of their digits; those of 8 bits are not moved
  unsigned count[max_tile_warps]
                [digit_values];   ///< how many keys of a warp have the digit; then the place of its next one
  unsigned offset[digit_values];  ///< from places in the tile to places in the array; wraps
};

template <class _Tp>
__device__ __forceinline__ sort_memory<_Tp>& shared_sort_memory() {
  __shared__ sort_memory<_Tp> all;
  return all;
}

/// Counts the digits of all passes, tile by tile; the block that ends this makes places of the counts. Returns the
/// first ticket behind.
template <class _Tp>
__device__ __forceinline__ unsigned count_digits(const _Tp* input, std::size_t size, sort_control<_Tp>* control,
                                                 ticket_drawer& tickets, std::size_t tiles, const site& at) {
  static_assert(sizeof(_Tp) <= max_tile_warps, "the warps' counts are large enough for those of all passes");
  auto& count = shared_sort_memory<_Tp>().count;
  const unsigned digit = thread_in_tile();
  for (unsigned pass = 0; pass < sizeof(_Tp); ++pass) count[pass][digit] = 0;
  unsigned counted = 0;
  unsigned ticket = tickets.drawn(at).number;
  for (; ticket < tiles; ticket = tickets.drawn(at).number) {
    tickets.draw();
    const std::size_t first = std::size_t{ticket} * sort_tile<_Tp>;
    const unsigned existing = existing_in_tile(size, first, sort_tile<_Tp>);
    access<_Tp> row[sort_rows<_Tp>];
    load_rows(row, input + first, existing, _Tp{});
    WARPZ_UNROLL
    for (unsigned r = 0; r < sort_rows<_Tp>; ++r) {
      WARPZ_UNROLL
      for (unsigned i = 0; i < access<_Tp>::count; ++i) {
        if (first_in_tile<_Tp, sort_rows<_Tp>>() + r * row_stride<_Tp>() + i >= existing) continue;
        const _Tp key = row[r].get(i);
        for (unsigned pass = 0; pass < sizeof(_Tp); ++pass) atomicAdd(&count[pass][digit_of(key, pass)], 1U);
      }
    }
    ++counted;
  }
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

/// The keys of a warp, in rows of one a lane.
template <class _Tp>
struct warp_keys {
  static constexpr unsigned count = sort_items<_Tp>;
  _Tp key[count];
  unsigned rows;  ///< that are sorted

  __device__ __forceinline__ void load(const _Tp* tile, unsigned existing) {
    const unsigned lanes = static_cast<unsigned>(warp_size()), warp_first = warp_in_tile() * count * lanes;
    const unsigned first = warp_first + static_cast<unsigned>(lane_id());
    const unsigned sorted = sorted_in_tile(existing, sort_tile<_Tp>);
    rows = sorted < warp_first ? 0 : (sorted - warp_first) / lanes;
    if (existing == sort_tile<_Tp>) {
      WARPZ_UNROLL
      for (unsigned i = 0; i < count; ++i) key[i] = tile[first + i * lanes];
      return;
    }
    WARPZ_UNROLL
    for (unsigned i = 0; i < count; ++i) {
      key[i] = first + i * lanes < existing ? tile[first + i * lanes] : last_key<_Tp>();
    }
  }

  /// Counts the warp's digits. All its lanes take part.
  __device__ __forceinline__ void count_digits(unsigned (&counts)[digit_values], unsigned pass, const site& at) const {
    const unsigned lanes = static_cast<unsigned>(warp_size());
    for (unsigned digit = static_cast<unsigned>(lane_id()); digit < digit_values; digit += lanes) counts[digit] = 0;
    warp_barrier(full_mask, at);
    WARPZ_UNROLL
    for (unsigned i = 0; i < count; ++i) {
      if (is_sorted(i)) atomicAdd(&counts[digit_of(key[i], pass)], 1U);
    }
  }

  /// Writes the keys to their places, of which `next` has the first for each digit. All lanes of the warp take part.
  __device__ __forceinline__ void store(_Tp* places, unsigned (&next)[digit_values], unsigned pass,
                                        const site& at) const {
    const warp_lanes lower = (warp_lanes{1} << lane_id()) - 1;
    WARPZ_UNROLL
    for (unsigned i = 0; i < count; ++i) {
      if (!is_sorted(i)) continue;
      const unsigned digit = digit_of(key[i], pass);
      const warp_lanes same = match_bits<digit_bits>(digit, at);
      const unsigned before = count_lanes(same & lower), place = next[digit] + before;
      warp_barrier(full_mask, at);
      places[place] = key[i];
      if (before == 0) next[digit] = place + count_lanes(same);
      warp_barrier(full_mask, at);
    }
  }

 private:
  __device__ __forceinline__ bool is_sorted(unsigned row) const { return this_platform != platform::cpu || row < rows; }
};

/// One word for each tile and digit: the pass and whether it is the sum from the start, above; below, how many keys
/// have the digit. What another pass has left counts for nothing.
__device__ __forceinline__ unsigned long long tile_word(unsigned pass, bool is_from_start, unsigned count) {
  return static_cast<unsigned long long>(2 * (pass + 1) + is_from_start) << 32 | count;
}

inline constexpr unsigned looked_back_at_once = 2;

/// The place of the tile's first key with the caller's digit, of which the tile has `own`.
template <class _Tp>
__device__ __forceinline__ unsigned first_place(unsigned long long* words, const sort_control<_Tp>* control,
                                                unsigned tile, unsigned pass, unsigned own, const site& at) {
  const unsigned digit = thread_in_tile();
  unsigned before = tile == 0 ? control->first[pass][digit] : 0;
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
      if (i >= at_once || is_from_start || known < i || found[i] >> 33 != pass + 1) continue;
      ++known;
      before += static_cast<unsigned>(found[i]);
      is_from_start = (found[i] >> 32 & 1) != 0;
    }
    end -= known;
    // A block that has to wait asks for one tile: all those that wait would take the L2 cache's whole rate.
    at_once = known == 0 ? 1 : looked_back_at_once;
  }
  store_relaxed(&words[std::size_t{tile} * digit_values + digit], tile_word(pass, true, before + own), at);
  return before;
}

/// Moves the keys of one tile to their places for this pass. All threads take part; each has a digit of its own.
template <class _Tp>
__device__ __forceinline__ void sort_one_tile(_Tp* target, const _Tp* source, std::size_t size, unsigned tile,
                                              unsigned pass, const sort_control<_Tp>* control,
                                              unsigned long long* words, ticket_drawer& tickets, const site& at) {
  sort_memory<_Tp>& shared = shared_sort_memory<_Tp>();
  const unsigned warp = warp_in_tile(), thread = thread_in_tile();
  const std::size_t tile_first = std::size_t{tile} * sort_tile<_Tp>;
  const unsigned existing = existing_in_tile(size, tile_first, sort_tile<_Tp>);
  warp_keys<_Tp> keys;
  keys.load(source + tile_first, existing);
  keys.count_digits(shared.count[warp], pass, at);
  block_barrier(at);

  // Told before the keys are sorted, so that the tiles behind wait less. Of the last digit are those that don't exist.
  unsigned own = thread == digit_values - 1 ? existing - sorted_in_tile(existing, sort_tile<_Tp>) : 0;
  for (unsigned i = 0; i < warps_in_tile(); ++i) own += shared.count[i][thread];
  if (tile != 0) store_relaxed(&words[std::size_t{tile} * digit_values + thread], tile_word(pass, false, own), at);
  if (thread == 0) prefetch_later_tile<sort_tile<_Tp>>(source, size, tile_first);
  const unsigned first_of_digit = block::prefix_sum<true, device::block_threads>(own, at);
  unsigned next = first_of_digit;
  for (unsigned i = 0; i < warps_in_tile(); ++i) {
    const unsigned of_warp = shared.count[i][thread];
    shared.count[i][thread] = next;
    next += of_warp;
  }
  block_barrier(at);

  keys.store(shared.key, shared.count[warp], pass, at);
  shared.offset[thread] = first_place(words, control, tile, pass, own, at) - first_of_digit;
  block_barrier(at);
  tickets.draw();

  const auto put = [&](unsigned i) {
    const _Tp moved = shared.key[i];
    target[shared.offset[digit_of(moved, pass)] + i] = moved;
  };
  if (existing == sort_tile<_Tp>) {
    WARPZ_UNROLL
    for (unsigned i = 0; i < sort_items<_Tp>; ++i) put(i * device::block_threads + thread);
  } else {
    for (unsigned i = thread; i < existing; i += device::block_threads) put(i);
  }
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

/// The key of 8 bits with this digit.
template <class _Tp>
__device__ __forceinline__ _Tp key_of_digit(unsigned digit) {
  return static_cast<_Tp>(std::is_signed<_Tp>::value ? digit ^ digit_values / 2 : digit);
}

/// Sorted keys of 8 bits from `place` on, given where the first key with each digit belongs.
template <class _Tp>
__device__ __forceinline__ access<_Tp> keys_at(unsigned place, const unsigned (&first)[digit_values]) {
  // The last digit whose keys begin here or before: those that begin at the same place have none.
  unsigned digit = 0;
  for (unsigned step = digit_values / 2; step != 0; step /= 2) {
    if (first[digit + step] <= place) digit += step;
  }
  const auto end_of = [&](unsigned of) { return of == digit_values - 1 ? ~0U : first[of + 1]; };
  unsigned end = end_of(digit);
  access<_Tp> part{};
  WARPZ_UNROLL
  for (unsigned i = 0; i < access<_Tp>::count; ++i) {
    while (place + i >= end) end = end_of(++digit);
    part.set(i, key_of_digit<_Tp>(digit));
  }
  return part;
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
    sort_one_tile(pass % 2 == 0 ? between : output, source, size, tile, pass, control, words, tickets, at);
    ++moved;
  }
  tell_moved(moved, control, known, at);
}

template <class _Tp>
__device__ __forceinline__ void sort_device(_Tp* output, const _Tp* input, std::size_t size, void* state,
                                            const site& at) {
  static_assert(is_element<_Tp>, "for numbers of 8 to 64 bits");
  require_device_block(at);
  sort_control<_Tp>* const control = static_cast<sort_control<_Tp>*>(state);
  if constexpr (sizeof(_Tp) == 1) {
    sort_by_counts(output, input, size, control, at);
  } else {
    sort_by_digits(output, input, size, control, at);
  }
}

}  // namespace detail
}  // namespace warpz
