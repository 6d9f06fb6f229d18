// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NVIDIA's shorter ways (vendor_paths.hpp): redux.sync for integers, and for float extremes where the GPU has that;
// scans that take the shuffle's own predicate instead of comparing lane numbers.
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

template <unsigned width, class T>
__device__ __forceinline__ T short_xor(T v, unsigned bits, lane_mask mask, site at) {
  return shuffle_xor<width>(v, bits, mask, at);
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
inline constexpr bool has_short_reduce = commutes<Combine> && ((has_integer_redux && is_word<T>) ||
                                                               (has_float_redux && std::is_same<T, float>::value &&
                                                                !std::is_same<Combine, plus>::value));

/// Lanes that have left or never were there count for nothing (PTX ISA, redux.sync).
template <class T, class Combine>
__device__ __forceinline__ T short_reduce([[maybe_unused]] T v, Combine) {
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
