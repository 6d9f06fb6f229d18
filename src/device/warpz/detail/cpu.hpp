// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The warp operations on the CPU machine: how each one's results follow from the operands of all its lanes.
//
// A lane puts its operand into the warp's exchange and waits; the last lane to arrive runs the resolver for
// all of them. Values travel as 64-bit words. Who has to arrive, and what happens if somebody does not, is the
// machine's business (simt/lane.hpp).
#pragma once

#include <hip/hip_runtime.h>

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "simt/lane.hpp"
#include "warpz/lane_mask.hpp"

namespace warpz {
namespace detail {

inline constexpr platform this_platform = platform::cpu;

/// The learner's line, for findings.
using site = simt::site;

/// A default argument: names the operation and the place where its caller stands.
constexpr site here(const char* operation, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
  return {operation, file, line};
}

inline int warp_size() { return simt::warp_size; }

inline int lane_id() { return static_cast<int>(simt::this_lane->lane_id); }

/// What a source is where no lane is to be read.
inline constexpr unsigned no_lane = ~0u;

/// Gives each lane of `group` the value of the lane that `source_of(lane, argument)` names, or its own where
/// that lane does not exist. A lane that exists but did not arrive has no defined value.
template <class SourceOf>
inline void gather(simt::exchange& operands, simt::lane_mask group, SourceOf source_of) {
  const unsigned lanes = operands.warp_size;
  const simt::lane_mask all = ~simt::lane_mask{0} >> (simt::max_warp_size - lanes);
  if (group == all) {
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
    operands.result[lane] = !exists ? operands.value[lane] : arrived ? operands.value[source] : simt::undefined_value;
  }
}

/// Lanes per segment; 0 and anything wider than the warp mean the whole warp.
template <unsigned width>
constexpr unsigned segment_lanes(unsigned warp_size) {
  return width == 0 || width > warp_size ? warp_size : width;
}

template <unsigned width>
void resolve_shuffle_idx(simt::exchange& operands, simt::lane_mask group) {
  const unsigned segment = segment_lanes<width>(operands.warp_size);
  gather(operands, group, [segment](unsigned lane, std::uint64_t source) {
    return source < segment ? (lane & ~(segment - 1)) + static_cast<unsigned>(source) : no_lane;
  });
}

template <unsigned width>
void resolve_shuffle_up(simt::exchange& operands, simt::lane_mask group) {
  const unsigned segment = segment_lanes<width>(operands.warp_size);
  gather(operands, group, [segment](unsigned lane, std::uint64_t delta) {
    return delta <= (lane & (segment - 1)) ? lane - static_cast<unsigned>(delta) : no_lane;
  });
}

template <unsigned width>
void resolve_shuffle_down(simt::exchange& operands, simt::lane_mask group) {
  const unsigned segment = segment_lanes<width>(operands.warp_size);
  gather(operands, group, [segment](unsigned lane, std::uint64_t delta) {
    return delta < segment - (lane & (segment - 1)) ? lane + static_cast<unsigned>(delta) : no_lane;
  });
}

template <unsigned width>
void resolve_shuffle_xor(simt::exchange& operands, simt::lane_mask group) {
  const unsigned segment = segment_lanes<width>(operands.warp_size);
  gather(operands, group, [segment](unsigned lane, std::uint64_t bits) {
    return bits < segment ? lane ^ static_cast<unsigned>(bits) : no_lane;
  });
}

inline void resolve_vote(simt::exchange& operands, simt::lane_mask group) {
  simt::lane_mask holds = 0;
  for (simt::lane_mask rest = group; rest != 0; rest &= rest - 1) {
    const unsigned lane = static_cast<unsigned>(__builtin_ctzll(rest));
    holds |= operands.value[lane] << lane;
  }
  for (simt::lane_mask rest = group; rest != 0; rest &= rest - 1) operands.result[__builtin_ctzll(rest)] = holds;
}

inline void resolve_active_mask(simt::exchange& operands, simt::lane_mask group) {
  for (simt::lane_mask rest = group; rest != 0; rest &= rest - 1) operands.result[__builtin_ctzll(rest)] = group;
}

/// Moves any trivially copyable value through a collective, one arrival for each 64 bits.
template <class T>
__device__ __forceinline__ T exchange_words(simt::resolver resolve, T v, unsigned argument, lane_mask mask,
                                            const site& at) {
  static_assert(std::is_trivially_copyable_v<T>, "lanes exchange bits: the type must be trivially copyable");
  constexpr std::size_t word = sizeof(std::uint64_t);
  T result = v;
  for (std::size_t offset = 0; offset < sizeof(T); offset += word) {
    const std::size_t bytes = sizeof(T) - offset < word ? sizeof(T) - offset : word;
    std::uint64_t bits = 0;
    std::memcpy(&bits, reinterpret_cast<const unsigned char*>(&v) + offset, bytes);
    bits = simt::collect(resolve, mask, bits, argument, at);
    std::memcpy(reinterpret_cast<unsigned char*>(&result) + offset, &bits, bytes);
  }
  return result;
}

template <unsigned width, class T>
__device__ __forceinline__ T shuffle_idx(T v, unsigned source, lane_mask mask, const site& at) {
  return exchange_words(resolve_shuffle_idx<width>, v, source, mask, at);
}

template <unsigned width, class T>
__device__ __forceinline__ T shuffle_up(T v, unsigned delta, lane_mask mask, const site& at) {
  return exchange_words(resolve_shuffle_up<width>, v, delta, mask, at);
}

template <unsigned width, class T>
__device__ __forceinline__ T shuffle_down(T v, unsigned delta, lane_mask mask, const site& at) {
  return exchange_words(resolve_shuffle_down<width>, v, delta, mask, at);
}

template <unsigned width, class T>
__device__ __forceinline__ T shuffle_xor(T v, unsigned bits, lane_mask mask, const site& at) {
  return exchange_words(resolve_shuffle_xor<width>, v, bits, mask, at);
}

__device__ __forceinline__ lane_mask vote(bool holds, const site& at) {
  return simt::collect(resolve_vote, full_mask, holds, 0, at);
}

__device__ __forceinline__ lane_mask active_mask(const site& at) {
  return simt::collect_active(resolve_active_mask, 0, 0, at);
}

/// a + b, rounded once: never fused with a multiplication that made an operand, in whatever mode the compiler
/// runs. Integers wrap.
template <class T>
__device__ inline T add(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    // Keeps a product out of the addition's sight, whichever operand it is.
    volatile T left = a, right = b;
    return left + right;
  } else {
    using word = std::make_unsigned_t<T>;
    return static_cast<T>(static_cast<word>(a) + static_cast<word>(b));
  }
}

/// The greater one; the other one if one is a NaN.
template <class T>
__device__ inline T maximum(T a, T b) {
  return b > a || a != a ? b : a;
}

/// The lesser one; the other one if one is a NaN.
template <class T>
__device__ inline T minimum(T a, T b) {
  return b < a || a != a ? b : a;
}

}  // namespace detail
}  // namespace warpz
