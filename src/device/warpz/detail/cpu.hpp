// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The warp operations on the CPU machine: how each one's results follow from the operands of all its lanes.
//
// A lane stores its operand in its slot and waits; the last lane to arrive runs the collective operation for
// all of them. Values travel as 64-bit words. Who has to arrive, and what happens if somebody does not, is the
// machine's business (simt/lane.hpp).
#pragma once

#include <hip/hip_runtime.h>

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "simt/instrumented.hpp"
#include "simt/lane.hpp"
#include "simt/value_types.hpp"
#include "warpz/detail/existing_lanes.hpp"
#include "warpz/lane_mask.hpp"

namespace warpz {
namespace detail {

inline constexpr platform this_platform = platform::cpu;

template <class _Tp>
inline constexpr bool is_half = std::is_same_v<_Tp, ::__half>;

template <class _Tp>
inline constexpr bool is_bfloat16 = std::is_same_v<_Tp, ::hip_bfloat16> || std::is_same_v<_Tp, ::__hip_bfloat16>;

/// The learner's line, for findings.
using site = simt::site;

/// A default argument: names the operation and the place where its caller stands.
#ifdef WARPZ_FULL_WARPS
__device__ inline site here(const char* operation, const char* file = __builtin_FILE(),
                            unsigned line = __builtin_LINE()) {
  if (existing_lanes() != warp_size()) {
    __assert_fail("WARPZ_FULL_WARPS: every block consists of whole warps", file, line, operation);
  }
  return {operation, file, line};
}
#else
__device__ constexpr site here(const char* operation, const char* file = __builtin_FILE(),
                               unsigned line = __builtin_LINE()) {
  return {operation, file, line};
}
#endif

/// A compiler takes a vector apart; whoever counts accesses is told that it is one.
__device__ inline void begin_vector(const void* at, std::size_t bytes, bool is_written) {
#ifdef SIMT_INSTRUMENTED
  simt::note_vector(at, bytes, is_written);
#else
  static_cast<void>(at);
  static_cast<void>(bytes);
  static_cast<void>(is_written);
#endif
}

/// Whether somebody looks at each step of an operation.
__device__ inline bool records_steps() { return simt::steps_are_recorded; }

__device__ inline int warp_size() { return simt::current_warp_size; }

__device__ inline int lane_id() { return static_cast<int>(simt::running_lane_id()); }

/// What a source is where no lane is to be read.
inline constexpr unsigned no_lane = ~0u;

/// All lanes that a warp can have.
__device__ inline bool is_whole_warp(const simt::collective_slots& operands, simt::lane_mask group) {
  return group == ~simt::lane_mask{0} >> (simt::max_warp_size - operands.warp_size);
}

/// Gives each lane of `group` the value of the lane that `source_of(lane, argument)` names, or its own where
/// that lane does not exist. A lane that exists but did not arrive has no defined value.
template <class _SourceOf>
__device__ inline void gather(simt::collective_slots& operands, simt::lane_mask group, _SourceOf source_of) {
  const unsigned lanes = operands.warp_size;
  if (is_whole_warp(operands, group)) {
    for (unsigned lane = 0; lane < lanes; ++lane) {
      const unsigned source = source_of(lane, operands.argument[lane]);
      operands.result[lane] = operands.value[source < lanes ? source : lane];
    }
    return;
  }
  for (simt::lane_mask rest = group; rest != 0; rest &= rest - 1) {
    const unsigned lane = static_cast<unsigned>(__builtin_ctzll(rest));
    const unsigned source = source_of(lane, operands.argument[lane]);
    const bool exists = source < lanes && (operands.present >> source & 1) != 0;
    const bool arrived = exists && (group >> source & 1) != 0;
    operands.result[lane] = !exists   ? operands.value[lane]
                            : arrived ? operands.value[source]
                                      : simt::undefined_result(lane, source, operands.value[lane]);
  }
}

/// Whether all lanes of a whole warp have the same argument.
__device__ inline bool have_one_argument(const simt::collective_slots& operands) {
  std::uint64_t differing = 0;
  for (unsigned lane = 0; lane < operands.warp_size; ++lane) {
    differing |= operands.argument[lane] ^ operands.argument[0];
  }
  return differing == 0;
}

/// Lanes per segment; 0 and anything wider than the warp mean the whole warp.
template <unsigned width>
__device__ constexpr unsigned segment_lanes(unsigned warp_size) {
  return width == 0 || width > warp_size ? warp_size : width;
}

/// The results of a shuffle up or down, each segment in one piece. False, and nothing is done, unless all lanes of a
/// whole warp move by the same distance, as they mostly do.
__device__ inline bool move_together(simt::collective_slots& operands, simt::lane_mask group, unsigned segment,
                                     bool up) {
  if (!is_whole_warp(operands, group) || !have_one_argument(operands)) return false;
  constexpr std::size_t word = sizeof operands.value[0];
  std::memcpy(operands.result, operands.value, operands.warp_size * word);
  const std::uint64_t delta = operands.argument[0];
  if (delta >= segment) return true;
  for (unsigned first = 0; first < operands.warp_size; first += segment) {
    std::memcpy(&operands.result[up ? first + delta : first], &operands.value[up ? first : first + delta],
                (segment - delta) * word);
  }
  return true;
}

template <unsigned width>
__device__ void resolve_shuffle_idx(simt::collective_slots& operands, simt::lane_mask group) {
  const unsigned segment = segment_lanes<width>(operands.warp_size);
  gather(operands, group, [segment](unsigned lane, std::uint64_t source) {
    return source < segment ? (lane & ~(segment - 1)) + static_cast<unsigned>(source) : no_lane;
  });
}

template <unsigned width>
__device__ void resolve_shuffle_up(simt::collective_slots& operands, simt::lane_mask group) {
  const unsigned segment = segment_lanes<width>(operands.warp_size);
  if (move_together(operands, group, segment, true)) return;
  gather(operands, group, [segment](unsigned lane, std::uint64_t delta) {
    return delta <= (lane & (segment - 1)) ? lane - static_cast<unsigned>(delta) : no_lane;
  });
}

template <unsigned width>
__device__ void resolve_shuffle_down(simt::collective_slots& operands, simt::lane_mask group) {
  const unsigned segment = segment_lanes<width>(operands.warp_size);
  if (move_together(operands, group, segment, false)) return;
  gather(operands, group, [segment](unsigned lane, std::uint64_t delta) {
    return delta < segment - (lane & (segment - 1)) ? lane + static_cast<unsigned>(delta) : no_lane;
  });
}

template <unsigned width>
__device__ void resolve_shuffle_xor(simt::collective_slots& operands, simt::lane_mask group) {
  const unsigned segment = segment_lanes<width>(operands.warp_size);
  gather(operands, group, [segment](unsigned lane, std::uint64_t bits) {
    return bits < segment ? lane ^ static_cast<unsigned>(bits) : no_lane;
  });
}

/// For GPUs, whose registers are few.
__device__ inline void hide_origin(unsigned&) {}
__device__ inline void hide_origin_anew(unsigned&) {}

__device__ inline void resolve_vote(simt::collective_slots& operands, simt::lane_mask group) {
  simt::lane_mask holds = 0;
  for (simt::lane_mask rest = group; rest != 0; rest &= rest - 1) {
    const unsigned lane = static_cast<unsigned>(__builtin_ctzll(rest));
    holds |= operands.value[lane] << lane;
  }
  for (simt::lane_mask rest = group; rest != 0; rest &= rest - 1) operands.result[__builtin_ctzll(rest)] = holds;
}

__device__ inline void resolve_active_mask(simt::collective_slots& operands, simt::lane_mask group) {
  for (simt::lane_mask rest = group; rest != 0; rest &= rest - 1) operands.result[__builtin_ctzll(rest)] = group;
}

/// Each lane gets the lanes whose word is its own.
__device__ inline void resolve_match_any(simt::collective_slots& operands, simt::lane_mask group) {
  for (simt::lane_mask rest = group; rest != 0;) {
    const std::uint64_t word = operands.value[__builtin_ctzll(rest)];
    simt::lane_mask same = 0;
    for (simt::lane_mask lanes = rest; lanes != 0; lanes &= lanes - 1) {
      const unsigned lane = static_cast<unsigned>(__builtin_ctzll(lanes));
      if (operands.value[lane] == word) same |= simt::lane_mask{1} << lane;
    }
    for (simt::lane_mask lanes = same; lanes != 0; lanes &= lanes - 1) operands.result[__builtin_ctzll(lanes)] = same;
    rest &= ~same;
  }
}

/// Each lane gets all lanes if their words are the same, else none.
__device__ inline void resolve_match_all(simt::collective_slots& operands, simt::lane_mask group) {
  simt::lane_mask same = group;
  for (simt::lane_mask rest = group; rest != 0; rest &= rest - 1) {
    if (operands.value[__builtin_ctzll(rest)] != operands.value[__builtin_ctzll(group)]) same = 0;
  }
  for (simt::lane_mask rest = group; rest != 0; rest &= rest - 1) operands.result[__builtin_ctzll(rest)] = same;
}

/// The word number `index` of a value, zeros behind its end.
template <class _Tp>
__device__ inline std::uint64_t word_of(const _Tp& v, std::size_t index) {
  const std::size_t offset = index * sizeof(std::uint64_t);
  std::uint64_t word = 0;
  std::memcpy(&word, reinterpret_cast<const unsigned char*>(&v) + offset,
              sizeof(_Tp) - offset < sizeof word ? sizeof(_Tp) - offset : sizeof word);
  return word;
}

/// How many 64-bit words a value makes.
template <class _Tp>
inline constexpr std::size_t word_count = (sizeof(_Tp) + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t);

/// Moves any trivially copyable value through a collective, one arrival for each 64 bits.
template <class _Tp>
__device__ __forceinline__ _Tp exchange_words(simt::collective_op op, _Tp v, unsigned argument, lane_mask mask,
                                              const site& at) {
  static_assert(std::is_trivially_copyable_v<_Tp>, "lanes exchange bits: the type must be trivially copyable");
  const site typed = at.typed(simt::value_type_of<_Tp>());
  _Tp result = v;
  for (std::size_t i = 0; i < word_count<_Tp>; ++i) {
    const std::size_t offset = i * sizeof(std::uint64_t);
    const std::uint64_t word = simt::collect(op, mask, word_of(v, i), argument, typed);
    std::memcpy(reinterpret_cast<unsigned char*>(&result) + offset, &word,
                sizeof(_Tp) - offset < sizeof word ? sizeof(_Tp) - offset : sizeof word);
  }
  return result;
}

template <unsigned width, class _Tp>
__device__ __forceinline__ _Tp shuffle_idx(_Tp v, unsigned source, lane_mask mask, const site& at) {
  return exchange_words(resolve_shuffle_idx<width>, v, source, mask, at);
}

template <unsigned width, class _Tp>
__device__ __forceinline__ _Tp shuffle_up(_Tp v, unsigned delta, lane_mask mask, const site& at) {
  return exchange_words(resolve_shuffle_up<width>, v, delta, mask, at);
}

template <unsigned width, class _Tp>
__device__ __forceinline__ _Tp shuffle_down(_Tp v, unsigned delta, lane_mask mask, const site& at) {
  return exchange_words(resolve_shuffle_down<width>, v, delta, mask, at);
}

template <unsigned width, class _Tp>
__device__ __forceinline__ _Tp shuffle_xor(_Tp v, unsigned bits, lane_mask mask, const site& at) {
  return exchange_words(resolve_shuffle_xor<width>, v, bits, mask, at);
}

__device__ __forceinline__ lane_mask vote(bool holds, const site& at) {
  return simt::collect(resolve_vote, full_mask, holds, 0, at);
}

__device__ __forceinline__ lane_mask active_mask(const site& at) {
  return simt::collect_active(resolve_active_mask, 0, 0, at);
}

/// How many lanes take part in a collective of the whole warp: lanes 0 to this, those that the block has.
__device__ __forceinline__ unsigned joined_lanes(const site&) { return static_cast<unsigned>(existing_lanes()); }

/// The value of lane `source`; unspecified if that lane does not exist.
template <class _Tp>
__device__ __forceinline__ _Tp fetch(_Tp v, unsigned source, const site& at) {
  return shuffle_idx<0>(v, source, full_mask, at);
}

/// The lanes that match in every word.
template <class _Tp>
__device__ __forceinline__ lane_mask match_words(simt::collective_op op, _Tp v, const site& at) {
  static_assert(std::is_trivially_copyable_v<_Tp>, "lanes compare bits: the type must be trivially copyable");
  lane_mask same = full_mask;
  for (std::size_t i = 0; i < word_count<_Tp>; ++i)
    same &= simt::collect(op, full_mask, word_of(v, i), 0, at.typed(simt::value_type_of<_Tp>()));
  return same;
}

/// The lanes whose value has the same bits as the caller's.
template <class _Tp>
__device__ __forceinline__ lane_mask match_any(_Tp v, const site& at) {
  return match_words(resolve_match_any, v, at);
}

/// All lanes if every value has the same bits, else none.
template <class _Tp>
__device__ __forceinline__ lane_mask match_all(_Tp v, const site& at) {
  return match_words(resolve_match_all, v, at);
}

/// a + b, rounded once: never fused with a multiplication that made an operand, in whatever mode the compiler
/// runs. Integers wrap.
template <class _Tp>
__device__ inline _Tp add(_Tp a, _Tp b) {
  if constexpr (is_half<_Tp> || is_bfloat16<_Tp>) {
    // A float has so many more bits that rounding twice changes nothing.
    return static_cast<_Tp>(static_cast<float>(a) + static_cast<float>(b));
  } else if constexpr (std::is_floating_point_v<_Tp>) {
    // Keeps a product out of the addition's sight, whichever operand it is. (Volatile variables would be accesses that
    // --check all looks up.)
#ifdef __x86_64__
    asm("" : "+x"(a), "+x"(b));
#else
    asm("" : "+m"(a), "+m"(b));
#endif
    return a + b;
  } else {
    using word = std::make_unsigned_t<_Tp>;
    return static_cast<_Tp>(static_cast<word>(a) + static_cast<word>(b));
  }
}

/// The greater one; the other one if one is a NaN.
template <class _Tp>
__device__ inline _Tp maximum(_Tp a, _Tp b) {
  return b > a || a != a ? b : a;
}

/// The lesser one; the other one if one is a NaN.
template <class _Tp>
__device__ inline _Tp minimum(_Tp a, _Tp b) {
  return b < a || a != a ? b : a;
}

}  // namespace detail
}  // namespace warpz
