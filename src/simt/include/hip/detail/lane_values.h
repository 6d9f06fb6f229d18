// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How values get from lane to lane, as 64-bit words, and the operations on the words of all lanes.
//
// A type that is not a number but may be shuffled (a half) says so by a specialization of lane_value.
#pragma once

#include <type_traits>

#include "hip/detail/c_library.h"
#include "hip/detail/host_defines.h"
#include "hip/detail/site.h"
#include "simt/instrumented.hpp"
#include "simt/value_types.hpp"

SIMT_BOTH_SIDES_BEGIN

namespace simt {
namespace hip {

/// Whether a value may go to another lane, and the type of the result: HIP has these functions for numbers of 32
/// and 64 bits, and promotes smaller integers.
template <class _Tp, class = void>
struct lane_value {
  static constexpr bool allowed = false;
  using type = _Tp;
};

template <class _Tp>
struct lane_value<
    _Tp, std::enable_if_t<(std::is_arithmetic_v<_Tp> || std::is_enum_v<_Tp>)&&sizeof(_Tp) <= sizeof(std::uint64_t)>> {
  static constexpr bool allowed = true;
  using type = decltype(+_Tp());
};

template <class _Tp>
using moved = typename lane_value<_Tp>::type;

template <class _Tp>
inline std::uint64_t to_word(const _Tp& value) {
  static_assert(std::is_trivially_copyable_v<_Tp> && sizeof(_Tp) <= sizeof(std::uint64_t));
  std::uint64_t word = 0;
  memcpy(&word, &value, sizeof value);
  return word;
}

template <class _Tp>
inline _Tp from_word(std::uint64_t word) {
  _Tp value;
  memcpy(&value, &word, sizeof value);
  return value;
}

#ifdef __WARPZ_CUDA__

/// A set of lanes as functions return it. CUDA's have 32 bits: of 64 lanes the upper half is lost.
using lane_set = unsigned;

/// A mask of lanes as the functions with _sync take it. A program on its way to 64 lanes may give it 64 bits.
template <class _Mask>
constexpr participants checked_mask(_Mask mask) {
  if constexpr (std::is_integral_v<_Mask> && sizeof(_Mask) == sizeof(lane_mask)) {
    return {static_cast<lane_mask>(mask), participants::mask_source::argument};
  } else {
    return {static_cast<unsigned>(mask), participants::mask_source::argument};
  }
}

#else

/// A set of lanes as functions return it.
using lane_set = unsigned long long;

/// A mask of lanes as the functions with _sync take it.
template <class _Mask>
constexpr participants checked_mask(_Mask mask) {
  static_assert(std::is_integral_v<_Mask> && sizeof(_Mask) == sizeof(lane_mask),
                "the mask must be a 64-bit integer, as HIP requires it: a warp may have 64 lanes, and a 32-bit mask "
                "would leave the upper half of them out; write 0xffffffffffffffff (or ~0ull) for all lanes");
  return {static_cast<lane_mask>(mask), participants::mask_source::argument};
}

#endif

/// The participants of a function without a mask.
inline constexpr participants whole_warp{~lane_mask{0}, participants::mask_source::none};

inline unsigned lowest_lane(lane_mask lanes) { return static_cast<unsigned>(__builtin_ctzll(lanes)); }

template <class _Function>
inline void for_each_lane(lane_mask lanes, _Function function) {
  for (; lanes != 0; lanes &= lanes - 1) function(lowest_lane(lanes));
}

// Collective operations: each runs once all lanes of `group` have arrived.

/// Each lane gets the word of the lane that its argument names; an undefined one if that lane does not take part.
inline void resolve_gather(collective_slots& operands, lane_mask group) {
  for_each_lane(group, [&](unsigned lane) {
    const unsigned source = static_cast<unsigned char>(operands.argument[lane]);
    const bool takes_part = (group >> source & 1) != 0;
    const std::uint64_t word =
        takes_part ? operands.value[source] : undefined_result(lane, source, operands.value[lane]);
    const bool is_beyond = checks_operands && lane_request::of(operands.argument[lane]).beyond != excess::none;
    operands.result[lane] = is_beyond ? result_beyond(operands, group, lane, word) : word;
  });
}

/// Each lane gets the lanes whose word is 1.
inline void resolve_ballot(collective_slots& operands, lane_mask group) {
  lane_mask holding = 0;
  for_each_lane(group, [&](unsigned lane) { holding |= operands.value[lane] << lane; });
  for_each_lane(group, [&](unsigned lane) { operands.result[lane] = holding; });
}

/// Each lane gets 1 if some lane's word is 1, otherwise 0.
inline void resolve_any(collective_slots& operands, lane_mask group) {
  std::uint64_t holds = 0;
  for_each_lane(group, [&](unsigned lane) { holds |= static_cast<std::uint64_t>(operands.value[lane] != 0); });
  for_each_lane(group, [&](unsigned lane) { operands.result[lane] = holds; });
}

/// Each lane gets 1 if all lanes' words are 1, otherwise 0.
inline void resolve_all(collective_slots& operands, lane_mask group) {
  std::uint64_t holds = 1;
  for_each_lane(group, [&](unsigned lane) { holds &= static_cast<std::uint64_t>(operands.value[lane] != 0); });
  for_each_lane(group, [&](unsigned lane) { operands.result[lane] = holds; });
}

/// Each lane gets the lanes that have arrived.
inline void resolve_present(collective_slots& operands, lane_mask group) {
  for_each_lane(group, [&](unsigned lane) { operands.result[lane] = group; });
}

/// resolve_present, after which each lane sees what the others have written.
inline void resolve_sync(collective_slots& operands, lane_mask group) {
  resolve_present(operands, group);
  order_memory(group);
}

/// Each lane gets the lanes whose word is the same as its own.
inline void resolve_match_any(collective_slots& operands, lane_mask group) {
  while (group != 0) {
    const std::uint64_t word = operands.value[lowest_lane(group)];
    lane_mask same = 0;
    for_each_lane(group, [&](unsigned lane) {
      if (operands.value[lane] == word) same |= lane_mask{1} << lane;
    });
    for_each_lane(same, [&](unsigned lane) { operands.result[lane] = same; });
    group &= ~same;
  }
}

/// Each lane gets all lanes that have arrived if their words are equal, otherwise 0.
inline void resolve_match_all(collective_slots& operands, lane_mask group) {
  const std::uint64_t word = operands.value[lowest_lane(group)];
  lane_mask same = group;
  for_each_lane(group, [&](unsigned lane) {
    if (operands.value[lane] != word) same = 0;
  });
  for_each_lane(group, [&](unsigned lane) { operands.result[lane] = same; });
}

/// The values of all lanes combined, neighbors first (lanes 1, 2, 4, … apart).
template <class _Tp, class _Combine>
inline void resolve_reduce(collective_slots& operands, lane_mask group) {
  _Tp part[max_warp_size];
  for_each_lane(group, [&](unsigned lane) { part[lane] = from_word<_Tp>(operands.value[lane]); });
  lane_mask filled = group;
  for (unsigned stride = 1; stride < operands.warp_size; stride *= 2) {
    for (unsigned lane = 0; lane < operands.warp_size; lane += 2 * stride) {
      const unsigned other = lane + stride;
      if ((filled >> other & 1) == 0) continue;
      part[lane] = (filled >> lane & 1) != 0 ? _Combine()(part[lane], part[other]) : part[other];
      filled |= lane_mask{1} << lane;
    }
  }
  for_each_lane(group, [&](unsigned lane) { operands.result[lane] = to_word(part[0]); });
}

// What the device functions and the cooperative groups consist of.

/// Where a shuffle reads: a lane, counted modulo the warp size. The call asks for a lane of its segment of `width`
/// lanes, or for one at a distance.
struct shuffle_source {
  // A lane alone is no operand of a call.
  constexpr shuffle_source(unsigned lane_of_warp) : lane(lane_of_warp) {}
  constexpr shuffle_source(unsigned lane_of_warp, int asked_for, int segment, excess kind)
      : lane(lane_of_warp), asked(asked_for), width(segment), beyond(kind) {}

  unsigned lane;
  int asked = 0;
  int width = 1;
  excess beyond = excess::none;

  std::uint64_t request() const {
    const unsigned from = lane & (static_cast<unsigned>(current_warp_size) - 1);
    const bool is_segment = width > 0 && width <= static_cast<int>(max_warp_size);
    const bool is_beyond = checks_operands && is_segment && (asked < 0 || asked >= width);
    if (!is_beyond) return from;
    return lane_request{static_cast<unsigned char>(from), beyond, static_cast<unsigned char>(width), asked}.word();
  }
};

/// The value of another lane among those of `who`.
template <class _Tp>
__forceinline__ _Tp read_lane(participants who, _Tp value, const shuffle_source& source, const site& at) {
  const std::uint64_t from = source.request();
  return from_word<_Tp>(collect(resolve_gather, who, to_word(value), from, at.typed(value_type_of<_Tp>())));
}

__forceinline__ lane_mask ballot(participants who, bool holds, const site& at) {
  return collect(resolve_ballot, who, holds ? 1 : 0, 0, at);
}

__forceinline__ int any(participants who, bool holds, const site& at) {
  return static_cast<int>(collect(resolve_any, who, holds ? 1 : 0, 0, at));
}

__forceinline__ int all(participants who, bool holds, const site& at) {
  return static_cast<int>(collect(resolve_all, who, holds ? 1 : 0, 0, at));
}

/// The word that a match compares: equal numbers have equal words, including the two zeros of a float.
template <class _Tp>
inline std::uint64_t match_word(_Tp value) {
  static_assert(std::is_arithmetic_v<_Tp> && (sizeof(_Tp) == 4 || sizeof(_Tp) == 8),
                "a match compares int, unsigned, long, unsigned long, long long, unsigned long long, float or double");
  if constexpr (std::is_floating_point_v<_Tp>) {
    if (value == 0) value = 0;
  }
  return to_word(value);
}

}  // namespace hip
}  // namespace simt

SIMT_BOTH_SIDES_END
