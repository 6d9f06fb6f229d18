// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NVIDIA's fast paths (vendor_paths.hpp): shuffles whose own clamp leaves a lane its value where there is no source,
// match.sync, and redux.sync for integers and, on bits in the order of their numbers, for float extremes.
//
// What depends on the lane alone (clamps, predicates) stands apart from what depends on values, so that it is computed
// while a shuffle is under way, and once for all operations of a kernel.
#pragma once

#include <hip/hip_runtime.h>

#include <type_traits>

#include "warpz/detail/operators.hpp"
#include "warpz/detail/platform.hpp"
#include "warpz/lane_mask.hpp"

namespace warpz {
namespace detail {

/// The operand of shfl.sync that ends segments: the clamp in bits 0 to 4, the bits of a lane's number that tell
/// segments apart in bits 8 to 12 (PTX ISA, shfl.sync). Shuffles to lower lanes end at a segment's first lane, the
/// others at its last.
template <unsigned width, unsigned clamp>
inline constexpr unsigned segments = (32 - (width == 0 || width > 32 ? 32 : width)) << 8 | clamp;

// A shuffle's source and clamp are either numbers in the instruction or registers, and two registers take twice as
// long: the clamp is always a number. A lane without a source asks for itself instead, which is known beforehand.
#define WARPZ_SHUFFLE(direction, clamp)                                                         \
  [=](unsigned word) {                                                                          \
    asm volatile("shfl.sync." direction ".b32 %0, %0, %1, %2, %3;"                              \
                 : "+r"(word)                                                                   \
                 : "r"(source), "n"(segments<width, clamp>), "r"(static_cast<unsigned>(mask))); \
    return word;                                                                                \
  }

template <unsigned width, class _Tp>
__device__ __forceinline__ _Tp short_idx(_Tp v, unsigned from, lane_mask mask, site) {
  const unsigned lane = static_cast<unsigned>(lane_id()), segment = segment_lanes<width>();
  const bool exists = from < segment && (has_full_warps() || (lane & ~(segment - 1)) + from < existing_warp_lanes());
  const unsigned source = exists ? from : lane;
  return words_of<_Tp>(v).each(v, WARPZ_SHUFFLE("idx", 31));
}

template <unsigned width, class _Tp>
__device__ __forceinline__ _Tp short_xor(_Tp v, unsigned bits, lane_mask mask, site) {
  const unsigned lane = static_cast<unsigned>(lane_id());
  const bool exists = bits < segment_lanes<width>() && (has_full_warps() || (lane ^ bits) < existing_warp_lanes());
  const unsigned source = exists ? bits : 0;
  return words_of<_Tp>(v).each(v, WARPZ_SHUFFLE("bfly", 31));
}

template <unsigned width, class _Tp>
__device__ __forceinline__ _Tp short_up(_Tp v, unsigned delta, lane_mask mask, site) {
  const unsigned source = delta < 32 ? delta : 0;
  return words_of<_Tp>(v).each(v, WARPZ_SHUFFLE("up", 0));
}

template <unsigned width, class _Tp>
__device__ __forceinline__ _Tp short_down(_Tp v, unsigned delta, lane_mask mask, site) {
  const unsigned lane = static_cast<unsigned>(lane_id());
  const bool exists = delta < 32 && (has_full_warps() || lane + delta < existing_warp_lanes());
  const unsigned source = exists ? delta : 0;
  return words_of<_Tp>(v).each(v, WARPZ_SHUFFLE("down", 31));
}

#undef WARPZ_SHUFFLE

template <class _Tp>
__device__ __forceinline__ _Tp broadcast(_Tp v, site) {
  return read_uniform(v, 0);  // it exists in every warp
}

template <class _Tp>
__device__ __forceinline__ _Tp broadcast(_Tp v, unsigned source, site at) {
  return short_idx<0>(v, source, full_mask, at);
}

// What a lane gets that has no such source is dropped: a distance that is a number in the instruction costs less than
// finding another source.

template <class _Tp>
__device__ __forceinline__ _Tp fetch_above(_Tp v, unsigned distance, site) {
  return move_chosen(v, [=](unsigned word) { return __shfl_down_sync(0xffffffffU, word, distance); });
}

template <class _Tp>
__device__ __forceinline__ _Tp fetch_below(_Tp v, unsigned distance, site) {
  return move_chosen(v, [=](unsigned word) { return __shfl_up_sync(0xffffffffU, word, distance); });
}

__device__ __forceinline__ bool short_any(bool holds, site) { return __any_sync(0xffffffffU, holds) != 0; }

__device__ __forceinline__ bool short_all(bool holds, site) { return __all_sync(0xffffffffU, holds) != 0; }

__device__ __forceinline__ unsigned match_all_lanes(unsigned word) {
  int same = 0;
  return __match_all_sync(0xffffffffU, word, &same);
}

__device__ __forceinline__ unsigned match_all_lanes(unsigned long long words) {
  int same = 0;
  return __match_all_sync(0xffffffffU, words, &same);
}

/// match(word) of all words, those that every word has: two words at once, as far as there are two.
template <class _Tp, class _Match>
__device__ __forceinline__ unsigned match_words(_Tp v, _Match match) {
  const words_of<_Tp> words(v);
  constexpr std::size_t count = words_of<_Tp>::count;
  unsigned same = 0xffffffffU;
#pragma unroll
  for (std::size_t i = 0; i + 1 < count; i += 2) {
    same &= match(static_cast<unsigned long long>(words.word[i + 1]) << 32 | words.word[i]);
  }
  if constexpr (count % 2 != 0) same &= match(words.word[count - 1]);
  return same;
}

template <class _Tp>
__device__ __forceinline__ lane_mask short_match_any(_Tp v, site) {
  return match_words(v, [](auto words) { return __match_any_sync(0xffffffffU, words); });
}

template <class _Tp>
__device__ __forceinline__ lane_mask short_match_all(_Tp v, site) {
  return match_words(v, [](auto words) { return match_all_lanes(words); });
}

/// The lanes of the warp whose `bits` lowest bits are the caller's: a vote and two logical instructions for each bit,
/// where the compiler makes seven of the votes that C++ can ask for.
template <unsigned bits>
__device__ __forceinline__ unsigned match_bits(unsigned word, site) {
  unsigned same = 0xffffffffU;
#pragma unroll
  for (unsigned bit = 0; bit < bits; ++bit) {
    unsigned alike;
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; vote.sync.ballot.b32 %0, p, 0xffffffff; @!p not.b32 %0, %0; }"
                 : "=r"(alike)
                 : "r"(word & 1U << bit));
    same &= alike;
  }
  return same;
}

// The compiler's pass over the host's code sees no architecture, and no device code comes of it.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
inline constexpr bool has_redux = true;
#else
inline constexpr bool has_redux = false;
#endif

template <class _Tp>
inline constexpr bool is_word = std::is_integral<_Tp>::value && sizeof(_Tp) == 4;

template <class _Combine>
inline constexpr bool is_extreme =
    std::is_same<_Combine, max_operation>::value || std::is_same<_Combine, min_operation>::value;

/// Which lane it reads is known before the value is.
template <class _Combine>
inline constexpr bool combines_with_itself = is_extreme<_Combine>;

template <class _Tp, class _Combine>
inline constexpr bool has_short_reduce = has_redux&& is_number<_Tp> &&
                                         (is_extreme<_Combine> ||
                                          (std::is_integral<_Tp>::value && std::is_same<_Combine, plus>::value));

/// Reduces ints or unsigneds. Lanes that never were there count for nothing (PTX ISA, redux.sync).
template <class _Word, class _Combine>
__device__ __forceinline__ _Word reduce_word([[maybe_unused]] _Word v, _Combine) {
  _Word result{};
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  if constexpr (std::is_same<_Combine, plus>::value) {
    result = __reduce_add_sync(0xffffffffU, v);
  } else if constexpr (std::is_same<_Combine, max_operation>::value) {
    result = __reduce_max_sync(0xffffffffU, v);
  } else {
    result = __reduce_min_sync(0xffffffffU, v);
  }
#endif
  return result;
}

/// The sum of 64 bits in parts so small that 32 of them add up to no more than 32 bits.
__device__ __forceinline__ unsigned long long sum_of_pairs(unsigned long long v) {
  constexpr unsigned bits = 27, mask = (1U << bits) - 1;
  const unsigned long long low = reduce_word(static_cast<unsigned>(v) & mask, plus{});
  const unsigned long long middle = reduce_word(static_cast<unsigned>(v >> bits) & mask, plus{});
  const unsigned long long high = reduce_word(static_cast<unsigned>(v >> 2 * bits), plus{});
  return low + (middle << bits) + (high << 2 * bits);
}

/// The extreme of 64 bits: of the upper halves, and then of the lower ones of those lanes that have that.
template <class _Long, class _Combine>
__device__ __forceinline__ _Long extreme_of_pairs(_Long v, _Combine combine) {
  using half = std::conditional_t<std::is_signed<_Long>::value, int, unsigned>;
  const half upper = static_cast<half>(v >> 32), best = reduce_word(upper, combine);
  constexpr unsigned neutral = std::is_same<_Combine, max_operation>::value ? 0U : 0xffffffffU;
  const unsigned lower = reduce_word(upper == best ? static_cast<unsigned>(v) : neutral, combine);
  return static_cast<_Long>(static_cast<unsigned long long>(static_cast<unsigned>(best)) << 32 | lower);
}

/// A float's bits as a signed integer in the order of numbers, and back: those of the negative ones run the other way.
__device__ __forceinline__ int swap_order(int bits) { return bits ^ (bits >> 31 & 0x7fffffff); }
__device__ __forceinline__ long long swap_order(long long bits) { return bits ^ (bits >> 63 & 0x7fffffffffffffffLL); }

/// As fmax and fmin have it, a NaN counts only if there is nothing else: it comes last in the order, whatever its sign.
/// What comes back for it is a NaN, too.
template <class _Combine>
__device__ __forceinline__ float extreme_of_floats(float v, _Combine combine) {
#if defined(__CUDA_ARCH_FEAT_SM100_ALL)
  // Without .NaN a NaN counts only if there is nothing else.
  if constexpr (std::is_same<_Combine, max_operation>::value) {
    asm volatile("redux.sync.max.f32 %0, %0, 0xffffffff;" : "+f"(v));
  } else {
    asm volatile("redux.sync.min.f32 %0, %0, 0xffffffff;" : "+f"(v));
  }
  return v;
#else
  constexpr int last = std::is_same<_Combine, max_operation>::value ? -0x7fffffff - 1 : 0x7fffffff;
  const int ordered = v == v ? swap_order(__float_as_int(v)) : last;
  return __int_as_float(swap_order(reduce_word(ordered, combine)));
#endif
}

template <class _Combine>
__device__ __forceinline__ double extreme_of_floats(double v, _Combine combine) {
  constexpr long long greatest = 0x7fffffffffffffffLL;
  constexpr long long last = std::is_same<_Combine, max_operation>::value ? -greatest - 1 : greatest;
  const long long ordered = v == v ? swap_order(__double_as_longlong(v)) : last;
  return __longlong_as_double(swap_order(extreme_of_pairs(ordered, combine)));
}

template <class _Tp, class _Combine>
__device__ __forceinline__ _Tp short_reduce(_Tp v, _Combine combine) {
  if constexpr (is_half<_Tp>) {
    return narrow_half<_Tp>(extreme_of_floats(widen_half(v), combine));
  } else if constexpr (is_bfloat16<_Tp>) {
    // One of the values, so there is nothing to round.
    const float extreme = extreme_of_floats(widen_bfloat16(v), combine);
    return half_of_bits<_Tp>(static_cast<unsigned short>(__float_as_uint(extreme) >> 16));
  } else if constexpr (std::is_floating_point<_Tp>::value) {
    return extreme_of_floats(v, combine);
  } else if constexpr (is_word<_Tp>) {
    using word = std::conditional_t<std::is_signed<_Tp>::value, int, unsigned>;
    return static_cast<_Tp>(reduce_word(static_cast<word>(v), combine));
  } else if constexpr (is_extreme<_Combine>) {
    return extreme_of_pairs(v, combine);
  } else {
    return static_cast<_Tp>(sum_of_pairs(static_cast<unsigned long long>(v)));
  }
}

/// A group as large as the warp.
template <unsigned lanes, unsigned stride, class _Tp, class _Combine>
inline constexpr bool has_short_groups = lanes >= 32 && has_short_reduce<_Tp, _Combine>;

template <unsigned lanes, class _Tp, class _Combine>
__device__ __forceinline__ _Tp short_groups(_Tp v, _Combine combine) {
  return short_reduce(v, combine);
}

/// Which operand comes first is then chosen by moves of 16 bits, and what is done to a half is assembly of which the
/// compiler does not know that it commutes.
template <class _Tp>
inline constexpr bool reduces_down_for_all = sizeof(_Tp) == 2;

#ifdef WARPZ_FULL_WARPS
inline constexpr bool reduces_by_butterfly = true;
#else
inline constexpr bool reduces_by_butterfly = false;
#endif

/// `v` with `other` added, or `v` where `adds` is false: one instruction, which waits for `other` alone.
__device__ __forceinline__ int add_if(bool adds, int v, int other) {
  asm("{ .reg .pred p; setp.ne.u32 p, %2, 0; @p add.s32 %0, %0, %1; }" : "+r"(v) : "r"(other), "r"(unsigned{adds}));
  return v;
}

__device__ __forceinline__ float add_if(bool adds, float v, float other) {
  asm("{ .reg .pred p; setp.ne.u32 p, %2, 0; @p add.rn.f32 %0, %0, %1; }" : "+f"(v) : "f"(other), "r"(unsigned{adds}));
  return v;
}

__device__ __forceinline__ double add_if(bool adds, double v, double other) {
  asm("{ .reg .pred p; setp.ne.u32 p, %2, 0; @p add.rn.f64 %0, %0, %1; }" : "+d"(v) : "d"(other), "r"(unsigned{adds}));
  return v;
}

__device__ __forceinline__ long long add_if(bool adds, long long v, long long other) {
  asm("{ .reg .pred p; setp.ne.u32 p, %2, 0; @p add.s64 %0, %0, %1; }" : "+l"(v) : "l"(other), "r"(unsigned{adds}));
  return v;
}

/// A value of 16 bits, twice in a word: so it can be added under a predicate and shuffled without moves.
template <class _Tp>
struct twice {
  using value = _Tp;
  unsigned word;
};

template <class _Tp>
inline constexpr bool is_twice = false;
template <class _Tp>
inline constexpr bool is_twice<twice<_Tp>> = true;

/// As add(other, v) does it, a bfloat16 as other * 1 + v.
template <class _Tp>
__device__ __forceinline__ twice<_Tp> add_if(bool adds, twice<_Tp> v, twice<_Tp> other) {
  if constexpr (is_half<_Tp>) {
    asm("{ .reg .pred p; setp.ne.u32 p, %2, 0; @p add.rn.f16x2 %0, %1, %0; }"
        : "+r"(v.word)
        : "r"(other.word), "r"(unsigned{adds}));
  } else {
    constexpr unsigned ones = 0x3f803f80;
    asm("{ .reg .pred p; setp.ne.u32 p, %2, 0; @p fma.rn.bf16x2 %0, %1, %3, %0; }"
        : "+r"(v.word)
        : "r"(other.word), "r"(unsigned{adds}), "r"(ones));
  }
  return v;
}

template <class _Tp, class _Combine>
inline constexpr bool has_short_scan = true;

/// Nothing but the combination waits for `other`.
template <class _Tp, class _Combine>
__device__ __forceinline__ _Tp combine_if(bool combines, _Tp other, _Tp v, _Combine combine) {
  constexpr bool adds = std::is_same<_Combine, plus>::value;
  if constexpr (is_twice<_Tp>) {
    static_assert(adds, "nothing else is done to both halves of a word");
    return add_if(combines, v, other);
  } else if constexpr (is_word<_Tp> && adds) {
    return static_cast<_Tp>(add_if(combines, static_cast<int>(v), static_cast<int>(other)));
  } else if constexpr (std::is_integral<_Tp>::value && adds) {
    return static_cast<_Tp>(add_if(combines, static_cast<long long>(v), static_cast<long long>(other)));
  } else if constexpr (std::is_floating_point<_Tp>::value && adds) {
    return add_if(combines, v, other);
  } else if constexpr (is_word<_Tp> || sizeof(_Tp) == 8) {
    // Assembly that does nothing, and that no compiler takes out of a branch: it would choose an operand before each
    // combination, where the combination can be under a predicate.
    if (combines) {
      v = combine(other, v);
      asm volatile("");
    }
    return v;
  } else {
    return combines ? combine(other, v) : v;
  }
}

// A scan of the warp is one of its two rows of 16 lanes, and then what the first row ends with. The exclusive result is
// the inclusive one of the lane before, and is made of the same combinations: each lane takes over the row's result of
// the lane before while that end is still under way.

template <class _Tp>
struct scanned_rows {
  _Tp in_row, end_of_first;
};

template <class _Tp, class _Combine>
__device__ __forceinline__ scanned_rows<_Tp> scan_in_rows(_Tp v, _Combine combine) {
  const unsigned lane = static_cast<unsigned>(lane_id());
#pragma unroll
  for (unsigned stride = 1; stride < 16; stride *= 2) {
    v = combine_if((lane & 15) >= stride, short_up<16>(v, stride, full_mask, site{}), v, combine);
  }
  return {v, read_uniform(v, 15)};
}

template <class _Tp, class _Combine>
__device__ __forceinline__ _Tp inclusive_of_rows(const scanned_rows<_Tp>& rows, _Combine combine) {
  return combine_if((lane_id() & 16) != 0, rows.end_of_first, rows.in_row, combine);
}

/// Something or other in lane 0.
template <class _Tp, class _Combine>
__device__ __forceinline__ _Tp exclusive_of_rows(const scanned_rows<_Tp>& rows, _Combine combine) {
  return combine_if(lane_id() > 16, rows.end_of_first, short_up<0>(rows.in_row, 1, full_mask, site{}), combine);
}

// The compiler's pass over the host's code makes no device code.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
template <class _Tp>
inline constexpr bool adds_twice = is_half<_Tp>;
#else
template <class _Tp>
inline constexpr bool adds_twice = is_half<_Tp> || is_bfloat16<_Tp>;
#endif

template <class _Tp, class _Combine>
inline constexpr bool adds_in_words = adds_twice<_Tp>&& std::is_same<_Combine, plus>::value;

/// What is added in words; from_word() turns it back into a value.
template <class _Tp>
__device__ __forceinline__ auto in_word(_Tp v) {
  if constexpr (adds_twice<_Tp>) {
    return twice<_Tp>{word_of_half(v)};
  } else {
    return v;
  }
}

/// Two values of 16 bits in a word, and two others; the last parameter says of which type.
template <class _Tp>
__device__ __forceinline__ unsigned add_halves(unsigned others, unsigned word, _Tp) {
  if constexpr (adds_twice<_Tp>) {
    return add_if(true, twice<_Tp>{word}, twice<_Tp>{others}).word;
  } else {
    const auto half = [](unsigned bits) { return half_of_bits<_Tp>(static_cast<unsigned short>(bits)); };
    const unsigned low = bits_of_half(add(half(others), half(word)));
    return low | static_cast<unsigned>(bits_of_half(add(half(others >> 16), half(word >> 16)))) << 16;
  }
}

/// What a scan works on, made of a value and turned back into one. A bfloat16, which is added by a multiplication, is
/// scanned faster as it is.
template <class _Tp, class _Combine>
__device__ __forceinline__ auto for_scan(_Tp v, _Combine) {
  if constexpr (is_half<_Tp> && std::is_same<_Combine, plus>::value) {
    return in_word(v);
  } else {
    return v;
  }
}

template <class _Scanned>
__device__ __forceinline__ auto from_word(_Scanned v) {
  if constexpr (is_twice<_Scanned>) {
    return half_of_bits<typename _Scanned::value>(static_cast<unsigned short>(v.word));
  } else {
    return v;
  }
}

template <class _Tp, class _Combine>
__device__ __forceinline__ _Tp short_scan(_Tp v, _Combine combine) {
  return from_word(inclusive_of_rows(scan_in_rows(for_scan(v, combine), combine), combine));
}

template <class _Tp, class _Combine>
inline constexpr bool has_short_exclusive_scan = !(std::is_integral<_Tp>::value && std::is_same<_Combine, plus>::value);

template <class _Tp, class _Combine>
__device__ __forceinline__ _Tp short_exclusive_scan(_Tp v, _Combine combine, _Tp first) {
  const _Tp before = from_word(exclusive_of_rows(scan_in_rows(for_scan(v, combine), combine), combine));
  return lane_id() == 0 ? first : before;
}

/// Returns a pointer into shared memory, and makes the compiler forget how it was computed: where only some lanes
/// store, it would be computed again each time, under their predicate.
template <class _Tp>
__device__ __forceinline__ _Tp* keep_shared(_Tp* pointer) {
  unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(pointer));
  hide_origin(address);
  return static_cast<_Tp*>(__builtin_assume_aligned(__cvta_shared_to_generic(address), alignof(_Tp)));
}

template <class _Tp>
__device__ __forceinline__ _Tp lane_before(_Tp v, _Tp first, site at) {
  const _Tp before = short_up<0>(v, 1, full_mask, at);
  return lane_id() == 0 ? first : before;
}

/// How many warps a block has, as a power of two.
template <unsigned threads>
inline constexpr unsigned max_warps = threads == 0    ? 32
                                      : threads <= 32 ? 1
                                                      : 2 * max_warps<(threads + 1) / 2>;

/// A last warp that is not whole needs a lane for each warp (scan_by_reading).
template <unsigned threads>
inline constexpr bool reads_all_results = threads > 32 && threads <= 256 && (threads + 31) / 32 == max_warps<threads> &&
                                          (threads % 32 == 0 || threads % 32 >= max_warps<threads>);

template <unsigned threads>
inline constexpr bool joins_in_every_warp = false;

template <unsigned lanes, class _Tp, class _Combine>
__device__ _Tp scan_lanes(_Tp v, _Combine combine);  // called nowhere

}  // namespace detail
}  // namespace warpz
