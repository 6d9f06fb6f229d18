// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What AMD's and NVIDIA's headers share: how a value travels as 32-bit words, which lane a shuffle reads, which lanes
// match, and the sum, the greater and the lesser of two values. Included by the vendor's header, behind the
// instructions that all this is made of:
//   read_lane(word, source, mask)    the word that a lane of `mask` gave
//   read_uniform_lane(word, source)  the same, where all lanes of the warp take part and name the same lane
//   ballot(holds), active_lanes()
//   lanes_up_to_last(mask)           how many lanes there are up to the last one that a shuffle may ask for
//   add_rounded(a, b)                rounded once, never fused with a multiplication that made an operand
//   maximum_half(a, b), minimum_half(a, b)
//
// A lane that does not exist is never read: one whose source is missing reads itself, in the same instruction as
// the others, so that no lane branches around it.
#pragma once

#include <hip/hip_runtime.h>

#include <cmath>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "warpz/lane_mask.hpp"

namespace warpz {
namespace detail {

/// The learner's line, which only the CPU machine keeps.
struct site {};

__host__ __device__ constexpr site here(const char*) { return {}; }

/// Only the CPU machine counts.
__device__ constexpr void begin_vector(const void*, std::size_t, bool) {}

/// Whether the vendor's header has what AMD's has not: word_of_half, split_pair, join_pair and the arithmetic of
/// bfloat16.
inline constexpr bool is_nvidia = this_platform == platform::nvidia;

__device__ constexpr bool records_steps() { return false; }

/// Only the CPU machine's lanes can meet once for an operation of several steps.
template <class _Tp, class _Combine>
inline constexpr bool meets_once = false;
template <unsigned lanes, unsigned stride, class _Tp, class _Combine>
__device__ _Tp reduce_at_once(_Tp v, _Combine combine, site at);  // called nowhere
template <unsigned row, class _Tp, class _Combine>
__device__ _Tp scan_at_once(_Tp v, _Combine combine, site at);  // called nowhere
template <unsigned row, class _Tp, class _Combine>
__device__ _Tp scan_before_at_once(_Tp v, _Combine combine, site at);  // called nowhere

/// Whether every block is promised to consist of whole warps.
#ifdef WARPZ_FULL_WARPS
inline constexpr bool whole_warps = true;
#else
inline constexpr bool whole_warps = false;
#endif

__device__ __forceinline__ lane_mask vote(bool holds, site) { return ballot(holds); }

__device__ __forceinline__ lane_mask active_mask(site) { return active_lanes(); }

/// A trivially copyable value as 32-bit words; behind its end there is what depends on it alone.
template <class _Tp>
struct words_of {
  static_assert(std::is_trivially_copyable<_Tp>::value, "lanes exchange bits: the type must be trivially copyable");
  static constexpr std::size_t count = (sizeof(_Tp) + sizeof(unsigned) - 1) / sizeof(unsigned);

  unsigned word[count];

  __device__ __forceinline__ explicit words_of(const _Tp& v) {
    if constexpr (is_nvidia && sizeof(_Tp) == 2) {
      word[0] = word_of_half(v);
    } else if constexpr (is_nvidia && sizeof(_Tp) == 8) {
      unsigned long long bits;
      __builtin_memcpy(&bits, &v, sizeof(_Tp));
      split_pair(bits, word[0], word[1]);
    } else {
      word[count - 1] = 0;
      __builtin_memcpy(word, &v, sizeof(_Tp));
    }
  }

  /// The value again, each word replaced by change(word).
  template <class _Change>
  __device__ __forceinline__ _Tp each(_Tp v, _Change change) {
    replace(change, std::make_index_sequence<count>());
    if constexpr (is_nvidia && sizeof(_Tp) == 8) {
      const unsigned long long bits = join_pair(word[0], word[1]);
      __builtin_memcpy(&v, &bits, sizeof(_Tp));
    } else {
      __builtin_memcpy(&v, word, sizeof(_Tp));
    }
    return v;
  }

 private:
  // No loop: compilers look at a caller's loop while there still is one in it, and find it too large to unroll.
  template <class _Change, std::size_t... i>
  __device__ __forceinline__ void replace(_Change& change, std::index_sequence<i...>) {
    ((word[i] = change(word[i])), ...);
  }
};

/// Moves any trivially copyable value, 32 bits at a time.
template <class _Tp>
__device__ __forceinline__ _Tp read_lane_words(_Tp v, unsigned source, lane_mask mask) {
  return words_of<_Tp>(v).each(v, [=](unsigned word) { return read_lane(word, source, mask); });
}

template <class _Tp>
__device__ __forceinline__ _Tp read_uniform(_Tp v, unsigned source) {
  return words_of<_Tp>(v).each(v, [=](unsigned word) { return read_uniform_lane(word, source); });
}

/// Lanes per segment; 0 and anything wider than the warp mean the whole warp.
template <unsigned width>
__device__ __forceinline__ unsigned segment_lanes() {
  const unsigned lanes = static_cast<unsigned>(warp_size());
  return width == 0 || width > lanes ? lanes : width;
}

template <unsigned width, class _Tp>
__device__ __forceinline__ _Tp shuffle_idx(_Tp v, unsigned source, lane_mask mask, site) {
  const unsigned lane = static_cast<unsigned>(lane_id());
  const unsigned segment = segment_lanes<width>();
  const unsigned existing = lanes_up_to_last(mask);
  const unsigned wanted = (lane & ~(segment - 1)) + source;
  const bool exists = source < segment && (whole_warps || wanted < existing);
  return read_lane_words(v, exists ? wanted : lane, mask);
}

template <unsigned width, class _Tp>
__device__ __forceinline__ _Tp shuffle_up(_Tp v, unsigned delta, lane_mask mask, site) {
  const unsigned lane = static_cast<unsigned>(lane_id());
  // Where the caller exists, so do the lanes below it.
  const bool exists = delta <= (lane & (segment_lanes<width>() - 1));
  return read_lane_words(v, exists ? lane - delta : lane, mask);
}

template <unsigned width, class _Tp>
__device__ __forceinline__ _Tp shuffle_down(_Tp v, unsigned delta, lane_mask mask, site) {
  const unsigned lane = static_cast<unsigned>(lane_id());
  const unsigned segment = segment_lanes<width>();
  const unsigned existing = lanes_up_to_last(mask);
  const bool exists = delta < segment - (lane & (segment - 1)) && (whole_warps || lane + delta < existing);
  return read_lane_words(v, exists ? lane + delta : lane, mask);
}

template <unsigned width, class _Tp>
__device__ __forceinline__ _Tp shuffle_xor(_Tp v, unsigned bits, lane_mask mask, site) {
  const unsigned lane = static_cast<unsigned>(lane_id());
  const unsigned existing = lanes_up_to_last(mask);
  const bool exists = bits < segment_lanes<width>() && (lane ^ bits) < existing;
  return read_lane_words(v, exists ? lane ^ bits : lane, mask);
}

/// How many lanes take part in a collective of the whole warp: lanes 0 to this, those that the block has.
__device__ __forceinline__ unsigned joined_lanes(site) { return lanes_up_to_last(full_mask); }

/// The value replaced by move(word) of each word: a value that has just been chosen, by a predicate or a branch.
template <class _Tp, class _Move>
__device__ __forceinline__ _Tp move_chosen(_Tp v, _Move move) {
  if constexpr (is_nvidia && sizeof(_Tp) == 2) {
    const unsigned short bits = static_cast<unsigned short>(move(chosen_word_of_half(v)));
    __builtin_memcpy(&v, &bits, sizeof bits);
    return v;
  } else {
    return words_of<_Tp>(v).each(v, move);
  }
}

/// The value of lane `source`; unspecified if that lane does not exist.
template <class _Tp>
__device__ __forceinline__ _Tp fetch(_Tp v, unsigned source, site) {
  return move_chosen(v, [=](unsigned word) { return read_lane(word, source, full_mask); });
}

/// Whether two values have the same bits.
template <class _Tp>
__device__ __forceinline__ bool same_bits(const _Tp& a, const _Tp& b) {
  const words_of<_Tp> left(a), right(b);
  if constexpr (words_of<_Tp>::count == 1) return left.word[0] == right.word[0];
  unsigned difference = 0;
  for (std::size_t i = 0; i < words_of<_Tp>::count; ++i) difference |= left.word[i] ^ right.word[i];
  return difference == 0;
}

/// The lanes whose value has the same bits as the caller's. One round for each value there is, the same rounds in all
/// lanes.
template <class _Tp>
__device__ __forceinline__ lane_mask match_any(_Tp v, site at) {
  const unsigned lane = static_cast<unsigned>(lane_id());
  lane_mask same = 0;
  for (lane_mask pending = vote(true, at); pending != 0;) {
    const unsigned leader = static_cast<unsigned>(__ffsll(static_cast<unsigned long long>(pending))) - 1;
    const lane_mask matching = vote(same_bits(v, read_uniform(v, leader)), at);
    if ((matching >> lane & 1) != 0) same = matching;
    pending &= ~matching;
  }
  return same;
}

/// All lanes if every value has the same bits, else none.
template <class _Tp>
__device__ __forceinline__ lane_mask match_all(_Tp v, site at) {
  const lane_mask all = vote(true, at);
  return vote(same_bits(v, read_uniform(v, 0)), at) == all ? all : 0;
}

/// A bfloat16 is the upper half of a float.
template <class _Tp>
__device__ __forceinline__ float widen_bfloat16(_Tp v) {
  static_assert(sizeof(_Tp) == 2, "a bfloat16 has 16 bits");
  unsigned short bits;
  __builtin_memcpy(&bits, &v, sizeof bits);
  return __uint_as_float(static_cast<unsigned>(bits) << 16);
}

/// Rounded to nearest, ties to even.
template <class _Tp>
__device__ __forceinline__ _Tp narrow_bfloat16(float v) {
  const unsigned wide = __float_as_uint(v);
  // A carry goes into the exponent, where it belongs. A NaN is not rounded: it stays one without its lower half.
  const unsigned rounded = v != v ? wide | 0x400000U : wide + 0x7fffU + (wide >> 16 & 1);
  const unsigned short bits = static_cast<unsigned short>(rounded >> 16);
  _Tp narrow;
  __builtin_memcpy(&narrow, &bits, sizeof bits);
  return narrow;
}

/// a + b, rounded once: never fused with a multiplication that made an operand. Integers wrap.
template <class _Tp>
__device__ __forceinline__ _Tp add(_Tp a, _Tp b) {
  if constexpr (is_nvidia && is_bfloat16<_Tp>) {
    return add_bfloat16(a, b);
  } else if constexpr (is_bfloat16<_Tp>) {
    return narrow_bfloat16<_Tp>(add_rounded(widen_bfloat16(a), widen_bfloat16(b)));
  } else if constexpr (is_half<_Tp> || std::is_floating_point<_Tp>::value) {
    return add_rounded(a, b);
  } else {
    using word = std::make_unsigned_t<_Tp>;
    return static_cast<_Tp>(static_cast<word>(a) + static_cast<word>(b));
  }
}

/// The greater one; the other one if one is a NaN.
template <class _Tp>
__device__ __forceinline__ _Tp maximum(_Tp a, _Tp b) {
  if constexpr (std::is_same<_Tp, float>::value) {
    return fmaxf(a, b);
  } else if constexpr (std::is_same<_Tp, double>::value) {
    return fmax(a, b);
  } else if constexpr (is_nvidia && is_bfloat16<_Tp>) {
    return maximum_bfloat16(a, b);
  } else if constexpr (is_bfloat16<_Tp>) {
    return narrow_bfloat16<_Tp>(fmaxf(widen_bfloat16(a), widen_bfloat16(b)));
  } else if constexpr (is_half<_Tp>) {
    return maximum_half(a, b);
  } else {
    return b > a ? b : a;
  }
}

/// The lesser one; the other one if one is a NaN.
template <class _Tp>
__device__ __forceinline__ _Tp minimum(_Tp a, _Tp b) {
  if constexpr (std::is_same<_Tp, float>::value) {
    return fminf(a, b);
  } else if constexpr (std::is_same<_Tp, double>::value) {
    return fmin(a, b);
  } else if constexpr (is_nvidia && is_bfloat16<_Tp>) {
    return minimum_bfloat16(a, b);
  } else if constexpr (is_bfloat16<_Tp>) {
    return narrow_bfloat16<_Tp>(fminf(widen_bfloat16(a), widen_bfloat16(b)));
  } else if constexpr (is_half<_Tp>) {
    return minimum_half(a, b);
  } else {
    return b < a ? b : a;
  }
}

}  // namespace detail
}  // namespace warpz
