// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NVIDIA's shorter ways (vendor_paths.hpp): redux.sync for integers, and for float extremes where the GPU has that;
// else shuffles whose own clamp and predicate say which lanes there are, instead of comparisons of lane numbers.
#pragma once

#include <hip/hip_runtime.h>

#include <type_traits>

#include "warpz/detail/operators.hpp"
#include "warpz/detail/platform.hpp"
#include "warpz/lane_mask.hpp"

namespace warpz {
namespace detail {

template <class T>
__device__ __forceinline__ T broadcast(T v, site) {
  return read_uniform(v, 0);  // it exists in every warp
}

template <class T>
__device__ __forceinline__ T broadcast(T v, unsigned source, site at) {
  return shuffle_idx<0>(v, source, full_mask, at);
}

/// The last lane of `mask` that exists. All lanes of `mask` take part.
__device__ __forceinline__ unsigned last_lane(lane_mask mask) {
  unsigned last;
  asm("bfind.u32 %0, %1;" : "=r"(last) : "r"(static_cast<unsigned>(lanes_here(mask))));
  return last;
}

template <unsigned width, class T>
__device__ __forceinline__ T short_xor(T v, unsigned bits, lane_mask mask, site) {
  // A lane whose partner would be behind the last one gets its own value, by the shuffle's clamp.
  const unsigned last = last_lane(mask), partner = bits < segment_lanes<width>() ? bits : 0;
  return words_of<T>(v).each(v, [=](unsigned word) {
    asm volatile("shfl.sync.bfly.b32 %0, %0, %1, %2, %3;"
                 : "+r"(word)
                 : "r"(partner), "r"(last), "r"(static_cast<unsigned>(mask)));
    return word;
  });
}

template <unsigned width, class T>
__device__ __forceinline__ T short_up(T v, unsigned delta, lane_mask mask, site at) {
  return shuffle_up<width>(v, delta, mask, at);
}

template <unsigned width, class T>
__device__ __forceinline__ T short_down(T v, unsigned delta, lane_mask mask, site at) {
  return shuffle_down<width>(v, delta, mask, at);
}

// The compiler's pass over the host's code sees no architecture, and no device code comes of it.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
inline constexpr bool has_integer_redux = true;
#else
inline constexpr bool has_integer_redux = false;
#endif
#if defined(__CUDA_ARCH_FEAT_SM100_ALL)
inline constexpr bool has_float_redux = true;
#else
inline constexpr bool has_float_redux = false;
#endif

template <class T>
inline constexpr bool is_word = std::is_integral<T>::value && sizeof(T) == 4;

template <class T, class Combine>
inline constexpr bool has_redux = (has_integer_redux && is_word<T>) ||
                                  (has_float_redux && std::is_same<T, float>::value &&
                                   !std::is_same<Combine, plus>::value);

template <class T, class Combine>
inline constexpr bool has_short_reduce = commutes<Combine> && (has_redux<T, Combine> || std::is_same<T, float>::value);

/// Combines v with what lane `source` has, unless that is behind the last one: the shuffle's own predicate guards the
/// operation, which the compiler does not find by itself.
__device__ __forceinline__ float combine_with_lane(float v, unsigned source, unsigned last, plus) {
  asm volatile(
      "{ .reg .pred there; .reg .f32 other;\n\t"
      "shfl.sync.idx.b32 other|there, %0, %1, %2, 0xffffffff;\n\t"
      "@there add.rn.f32 %0, %0, other; }"
      : "+f"(v)
      : "r"(source), "r"(last));
  return v;
}

/// The lane's own value, which comes from a lane that is not there, changes no maximum and no minimum.
template <class Combine>
__device__ __forceinline__ float combine_with_lane(float v, unsigned source, unsigned last, Combine combine) {
  float other;
  asm volatile("shfl.sync.idx.b32 %0, %1, %2, %3, 0xffffffff;" : "=f"(other) : "f"(v), "r"(source), "r"(last));
  return combine(v, other);
}

/// The steps of reduce_xor.
template <class Combine>
__device__ __forceinline__ float reduce_by_shuffles(float v, Combine combine) {
  const unsigned lane = static_cast<unsigned>(lane_id()), last = last_lane(full_mask);
  unsigned partners = lane ^ 1;
  v = combine_with_lane(v, partners, last, combine);
#pragma unroll
  for (unsigned step = 2; step < 32; step *= 2) {
    // The first lane of the other part, (lane ^ step) & ~(step - 1), as (lane & partners) ^ step: one instruction,
    // which the compiler would take apart again to share pieces.
    asm("lop3.b32 %0, %0, %1, %2, 0x6c;" : "+r"(partners) : "r"(step), "r"(lane));
    v = combine_with_lane(v, partners, last, combine);
  }
  return v;
}

/// Lanes that have left or never were there count for nothing (PTX ISA, redux.sync).
template <class T, class Combine>
__device__ __forceinline__ T reduce_by_redux([[maybe_unused]] T v, Combine) {
  T result{};
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  if constexpr (std::is_same<T, float>::value) {
#if defined(__CUDA_ARCH_FEAT_SM100_ALL)
    // Without .NaN a NaN counts only if there is nothing else.
    if constexpr (std::is_same<Combine, greater_of>::value) {
      asm volatile("redux.sync.max.f32 %0, %1, 0xffffffff;" : "=f"(result) : "f"(v));
    } else {
      asm volatile("redux.sync.min.f32 %0, %1, 0xffffffff;" : "=f"(result) : "f"(v));
    }
#endif
  } else {
    using word = std::conditional_t<std::is_signed<T>::value, int, unsigned>;
    const word given = static_cast<word>(v);
    if constexpr (std::is_same<Combine, plus>::value) {
      result = static_cast<T>(__reduce_add_sync(0xffffffffU, given));
    } else if constexpr (std::is_same<Combine, greater_of>::value) {
      result = static_cast<T>(__reduce_max_sync(0xffffffffU, given));
    } else {
      result = static_cast<T>(__reduce_min_sync(0xffffffffU, given));
    }
  }
#endif
  return result;
}

template <class T, class Combine>
__device__ __forceinline__ T short_reduce(T v, Combine combine) {
  if constexpr (has_redux<T, Combine>) {
    return reduce_by_redux(v, combine);
  } else {
    return reduce_by_shuffles(v, combine);
  }
}

/// The value of the lane `delta` below within the row of 16 lanes; `found` says whether it is there.
template <class T>
__device__ __forceinline__ T row_up(T v, unsigned delta, bool& found) {
  unsigned inside = 0;
  v = words_of<T>(v).each(v, [&](unsigned word) {
    unsigned moved;
    // Segments of 16 lanes: bit 4 of a lane's number tells them apart.
    asm volatile(
        "{ .reg .pred inside;\n\t"
        "shfl.sync.up.b32 %0|inside, %2, %3, 0x1000, 0xffffffff;\n\t"
        "selp.u32 %1, 1, 0, inside; }"
        : "=r"(moved), "=r"(inside)
        : "r"(word), "r"(delta));
    return moved;
  });
  found = inside != 0;
  return v;
}

/// v plus the value of the lane `delta` below, where `segments` (shfl.sync's operand) has that lane: the shuffle's own
/// predicate guards the addition, which the compiler does not find by itself.
__device__ __forceinline__ float add_from_below(float v, unsigned delta, unsigned segments) {
  asm volatile(
      "{ .reg .pred there; .reg .f32 below;\n\t"
      "shfl.sync.up.b32 below|there, %0, %1, %2, 0xffffffff;\n\t"
      "@there add.rn.f32 %0, below, %0; }"
      : "+f"(v)
      : "r"(delta), "r"(segments));
  return v;
}

template <class T>
__device__ __forceinline__ T add_from_below(T v, unsigned delta, unsigned segments) {
  unsigned word = static_cast<unsigned>(v);
  asm volatile(
      "{ .reg .pred there; .reg .u32 below;\n\t"
      "shfl.sync.up.b32 below|there, %0, %1, %2, 0xffffffff;\n\t"
      "@there add.u32 %0, below, %0; }"
      : "+r"(word)
      : "r"(delta), "r"(segments));
  return static_cast<T>(word);
}

template <class T, class Combine>
inline constexpr bool has_short_scan = true;

template <class T, class Combine>
__device__ __forceinline__ T short_scan(T v, Combine combine) {
  if constexpr (std::is_same<Combine, plus>::value && (is_word<T> || std::is_same<T, float>::value)) {
#pragma unroll
    for (unsigned stride = 1; stride < 16; stride *= 2) v = add_from_below(v, stride, 0x1000);
    // The last lane of the row before; the first row has none.
    return add_from_below(v, (static_cast<unsigned>(lane_id()) & 15) + 1, 0);
  } else {
#pragma unroll
    for (unsigned stride = 1; stride < 16; stride *= 2) {
      bool found = false;
      const T before = row_up(v, stride, found);
      if (found) v = combine(before, v);
    }
    const T row_before = read_uniform(v, 15);
    if ((lane_id() & 16) != 0) v = combine(row_before, v);
    return v;
  }
}

template <class T>
__device__ __forceinline__ T lane_before(T v, T first, site at) {
  const T before = shuffle_up<0>(v, 1, full_mask, at);
  return lane_id() == 0 ? first : before;
}

}  // namespace detail
}  // namespace warpz
