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
#pragma once

#include <hip/hip_runtime.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "warpz/block.hpp"
#include "warpz/detail/device_split.hpp"
#include "warpz/detail/device_tiles.hpp"
#include "warpz/detail/sync_platform.hpp"
#include "warpz/lane_mask.hpp"
#include "warpz/sync.hpp"

namespace warpz {
namespace detail {

/// A key's bits, in whose order keys are sorted.
template <class _Tp>
using key_bits = std::conditional_t<sizeof(_Tp) == 4, std::uint32_t, std::uint64_t>;

/// Of negative numbers the sign turns, and of floats all bits; NaNs come last.
template <class _Tp>
__device__ __forceinline__ key_bits<_Tp> ordered_bits(_Tp key) {
  using bits = key_bits<_Tp>;
  constexpr bits sign = bits{1} << (8 * sizeof(bits) - 1);
  bits found;
  __builtin_memcpy(&found, &key, sizeof key);
  if constexpr (std::is_floating_point<_Tp>::value) {
    if (key != key) return ~bits{0};
    return (found & sign) != 0 ? ~found : found | sign;
  } else {
    return std::is_signed<_Tp>::value ? found ^ sign : found;
  }
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
  unsigned first[sizeof(_Tp)][digit_values];  ///< of each pass: where the first key with the digit belongs
};
static_assert(sizeof(sort_control<int>) == sort_control_words<int> * sizeof(unsigned), "device_state.hpp leaves room");
static_assert(sizeof(sort_control<double>) == sort_control_words<double> * sizeof(unsigned), "and for keys of 64 bits");

template <class _Tp>
struct sort_memory {
  _Tp key[sort_tile];
  unsigned count[most_tile_warps][digit_values];  ///< of each warp; then of the warps before it
  unsigned first[digit_values];                   ///< the digit's first place in the tile
  unsigned offset[digit_values];                  ///< from places in the tile to places in the array; wraps
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
  static_assert(sizeof(_Tp) <= most_tile_warps, "the warps' counts are large enough for those of all passes");
  auto& count = shared_sort_memory<_Tp>().count;
  const unsigned digit = thread_in_block();
  for (unsigned pass = 0; pass < sizeof(_Tp); ++pass) count[pass][digit] = 0;
  unsigned counted = 0;
  unsigned ticket = tickets.drawn(at);
  for (; ticket < tiles; ticket = tickets.drawn(at)) {
    tickets.draw();
    const std::size_t first = std::size_t{ticket} * sort_tile;
    const unsigned existing = existing_in_tile(size, first, sort_tile);
    for (unsigned i = thread_in_block(); i < existing; i += device::block_threads) {
      const _Tp key = input[first + i];
      for (unsigned pass = 0; pass < sizeof(_Tp); ++pass) atomicAdd(&count[pass][digit_of(key, pass)], 1U);
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
  if (thread_in_block() == 0) is_last = atomicAdd(&control->counters.arrived, counted) + counted == tiles;
  if (!block::broadcast(is_last, 0, at)) return ticket;
  threadfence<scope::device>(at);
  for (unsigned pass = 0; pass < sizeof(_Tp); ++pass) {
    control->first[pass][digit] = block::prefix_sum<true>(control->first[pass][digit], at);
  }
  block_barrier(at);
  if (thread_in_block() == 0) store_release(&control->is_counted, 1, at);
  return ticket;
}

/// The lanes of the warp whose digit is the caller's, of those that have one.
__device__ __forceinline__ lane_mask same_digit(unsigned digit, bool exists, const site& at) {
  lane_mask same = warp::vote(exists, at);
  for (unsigned bit = 0; bit < digit_bits; ++bit) {
    const bool is_set = (digit >> bit & 1) != 0;
    const lane_mask set = warp::vote(is_set, at);
    same &= is_set ? set : ~set;
  }
  return same;
}

/// Of each of the lane's keys its digit, times 2^16, and how many with that digit come before it in the warp; counts
/// the warp's digits.
template <class _Tp>
__device__ __forceinline__ void rank_keys(unsigned (&place)[sort_items], const _Tp (&key)[sort_items],
                                          unsigned existing, unsigned pass, unsigned (&count)[digit_values],
                                          const site& at) {
  const unsigned lanes = static_cast<unsigned>(warp_size()), lane = static_cast<unsigned>(lane_id());
  const unsigned first = warp_in_block() * sort_items * lanes + lane;
  for (unsigned digit = lane; digit < digit_values; digit += lanes) count[digit] = 0;
  warp_barrier(full_mask, at);
  for (unsigned i = 0; i < sort_items; ++i) {
    const bool exists = first + i * lanes < existing;
    const unsigned digit = digit_of(key[i], pass);
    const lane_mask same = same_digit(digit, exists, at);
    const unsigned before = static_cast<unsigned>(__popcll(same & ((lane_mask{1} << lane) - 1)));
    place[i] = digit << 16 | (count[digit] + before);
    warp_barrier(full_mask, at);
    if (exists && before == 0) count[digit] += static_cast<unsigned>(__popcll(same));
    warp_barrier(full_mask, at);
  }
}

/// One word for each tile and digit: the pass and whether it is the sum from the start, above; below, how many keys
/// have the digit. What another pass has left counts for nothing.
__device__ __forceinline__ unsigned long long tile_word(unsigned pass, bool is_from_start, unsigned count) {
  return static_cast<unsigned long long>(2 * (pass + 1) + is_from_start) << 32 | count;
}

inline constexpr unsigned looked_back_at_once = 4;

/// The place of the tile's first key with the caller's digit, of which the tile has `own`.
template <class _Tp>
__device__ __forceinline__ unsigned look_back(unsigned long long* words, const sort_control<_Tp>* control,
                                              unsigned tile, unsigned pass, unsigned own, const site& at) {
  const unsigned digit = thread_in_block();
  unsigned before = tile == 0 ? control->first[pass][digit] : 0;
  const unsigned long long* const mine = words + digit;
  bool is_from_start = tile == 0;
  for (unsigned end = tile; !is_from_start;) {
    // Several at once: a load takes much longer than an addition. Before tile 0 it is that one again.
    unsigned long long found[looked_back_at_once];
    for (unsigned i = 0; i < looked_back_at_once; ++i) {
      found[i] = load_relaxed(&mine[std::size_t{end > i ? end - 1 - i : 0} * digit_values], at);
    }
    for (unsigned i = 0; i < looked_back_at_once && !is_from_start && found[i] >> 33 == pass + 1; ++i) {
      before += static_cast<unsigned>(found[i]);
      is_from_start = (found[i] >> 32 & 1) != 0;
      --end;
    }
  }
  store_relaxed(&words[std::size_t{tile} * digit_values + digit], tile_word(pass, true, before + own), at);
  return before;
}

/// Moves the keys of one tile to their places for this pass. All threads take part; each has a digit of its own.
template <class _Tp>
__device__ __forceinline__ void sort_one_tile(_Tp* to, const _Tp* from, std::size_t size, unsigned tile, unsigned pass,
                                              const sort_control<_Tp>* control, unsigned long long* words,
                                              ticket_drawer& tickets, const site& at) {
  sort_memory<_Tp>& shared = shared_sort_memory<_Tp>();
  const unsigned lanes = static_cast<unsigned>(warp_size()), warp = warp_in_block(), warps = block_warps();
  const unsigned thread = thread_in_block();
  const std::size_t tile_first = std::size_t{tile} * sort_tile;
  const unsigned existing = existing_in_tile(size, tile_first, sort_tile);
  const unsigned first = warp * sort_items * lanes + static_cast<unsigned>(lane_id());

  _Tp key[sort_items];
  for (unsigned i = 0; i < sort_items; ++i) {
    const unsigned place = first + i * lanes;
    key[i] = place < existing ? from[tile_first + place] : _Tp{};
  }
  unsigned digit_and_rank[sort_items];
  rank_keys(digit_and_rank, key, existing, pass, shared.count[warp], at);
  block_barrier(at);

  unsigned own = 0;
  for (unsigned i = 0; i < warps; ++i) {
    const unsigned of_warp = shared.count[i][thread];
    shared.count[i][thread] = own;
    own += of_warp;
  }
  if (tile != 0) store_relaxed(&words[std::size_t{tile} * digit_values + thread], tile_word(pass, false, own), at);
  const unsigned first_of_digit = block::prefix_sum<true>(own, at);
  shared.first[thread] = first_of_digit;
  block_barrier(at);

  for (unsigned i = 0; i < sort_items; ++i) {
    const unsigned digit = digit_and_rank[i] >> 16, rank = digit_and_rank[i] & 0xffffU;
    if (first + i * lanes < existing) shared.key[shared.first[digit] + shared.count[warp][digit] + rank] = key[i];
  }
  shared.offset[thread] = look_back(words, control, tile, pass, own, at) - first_of_digit;
  block_barrier(at);
  tickets.draw();

  for (unsigned i = thread; i < existing; i += device::block_threads) {
    const _Tp moved = shared.key[i];
    to[shared.offset[digit_of(moved, pass)] + i] = moved;
  }
}

/// Waits until the counter is `wanted`; what was done before it became so is seen after. All threads take part.
__device__ __forceinline__ void wait_for(const std::int32_t* counter, std::int32_t wanted, const site& at) {
  if (thread_in_block() == 0) {
    while (load_acquire(counter, at) != wanted) {
    }
  }
  block_barrier(at);
}

template <class _Tp>
__device__ __forceinline__ void sort_device(_Tp* output, const _Tp* input, std::size_t size, void* state,
                                            const site& at) {
  static_assert(is_number<_Tp> && sizeof(_Tp) >= sizeof(unsigned), "for numbers of 32 and 64 bits");
  require_device_block(at);
  const std::size_t tiles = parts_in(size, sort_tile);
  sort_control<_Tp>* const control = static_cast<sort_control<_Tp>*>(state);
  auto* const words = reinterpret_cast<unsigned long long*>(control + 1);
  _Tp* const between = reinterpret_cast<_Tp*>(words + tiles * digit_values);
  ticket_drawer tickets(&control->counters);
  std::size_t ticket = count_digits(input, size, control, tickets, tiles, at);
  unsigned known = 0;  // passes that are known to have begun
  for (; ticket < (sizeof(_Tp) + 1) * tiles; ticket = tickets.drawn(at)) {
    const unsigned pass = static_cast<unsigned>(ticket / tiles) - 1;
    const unsigned tile = static_cast<unsigned>(ticket % tiles);
    if (pass == 0 && known == 0) wait_for(&control->is_counted, 1, at);
    if (pass >= known && pass != 0) wait_for(&control->done[pass - 1], static_cast<std::int32_t>(tiles), at);
    known = pass + 1;
    const _Tp* const from = pass == 0 ? input : pass % 2 == 1 ? between : output;
    sort_one_tile(pass % 2 == 0 ? between : output, from, size, tile, pass, control, words, tickets, at);
    // Whoever sees all tiles done sees their keys, too.
    threadfence<scope::device>(at);
    block_barrier(at);
    if (thread_in_block() == 0) atomicAdd(&control->done[pass], 1);
  }
}

}  // namespace detail
}  // namespace warpz
