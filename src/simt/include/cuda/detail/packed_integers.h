// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic on the two halves or the four bytes of a word, each for itself: CUDA's "SIMD intrinsics". A name's end
// says how many parts there are, and where it matters a letter before it whether they are signed (s) or unsigned (u);
// ss and us: the result is kept within the type.
#pragma once

#include <limits>
#include <type_traits>

#include "hip/detail/host_defines.h"

namespace simt {
namespace cuda {

/// The parts of the result are `action` of those of `a` and `b`, without what does not fit.
template <class _Part, class _Action>
__device__ __forceinline__ unsigned for_parts(unsigned a, unsigned b, _Action action) {
  constexpr unsigned bits = 8 * sizeof(_Part);
  unsigned all = 0;
  for (unsigned shift = 0; shift != 32; shift += bits) {
    const int result = action(static_cast<_Part>(a >> shift), static_cast<_Part>(b >> shift));
    all |= (static_cast<unsigned>(result) & ((1U << bits) - 1)) << shift;
  }
  return all;
}

template <class _Part>
__device__ __forceinline__ int kept_within(int value) {
  using limits = std::numeric_limits<_Part>;
  return value < limits::min() ? limits::min() : value > limits::max() ? limits::max() : value;
}

__device__ __forceinline__ int distance(int a, int b) { return a < b ? b - a : a - b; }

/// Half of the sum, to the nearest integer; of two, to the one that is farther from 0.
__device__ __forceinline__ int average(int a, int b) { return (a + b + (a + b < 0 ? 0 : 1)) >> 1; }

template <class _Part>
__device__ __forceinline__ unsigned sum_of_distances(unsigned a, unsigned b) {
  unsigned sum = 0;
  for (unsigned shift = 0; shift != 32; shift += 8 * sizeof(_Part))
    sum += distance(static_cast<_Part>(a >> shift), static_cast<_Part>(b >> shift));
  return sum;
}

}  // namespace cuda
}  // namespace simt

// The parts are the ints x and y.
#define SIMT_PARTS(name, part, result)                                                    \
  __device__ __forceinline__ unsigned name(unsigned a, unsigned b) {                      \
    using _Part [[maybe_unused]] = part;                                                  \
    return simt::cuda::for_parts<part>(a, b, [](int x, int y) -> int { return result; }); \
  }
#define SIMT_PART(name, part, result)                                                   \
  __device__ __forceinline__ unsigned name(unsigned a) {                                \
    using _Part [[maybe_unused]] = part;                                                \
    return simt::cuda::for_parts<part>(a, 0, [](int x, int) -> int { return result; }); \
  }
#define SIMT_BOTH_WIDTHS(macro, name, half, byte, result) macro(name##2, half, result) macro(name##4, byte, result)
#define SIMT_SIGNED(macro, name, result) SIMT_BOTH_WIDTHS(macro, name, signed short, signed char, result)
#define SIMT_UNSIGNED(macro, name, result) SIMT_BOTH_WIDTHS(macro, name, unsigned short, unsigned char, result)
// Comparisons give all bits of a part, or its lowest one.
#define SIMT_COMPARISON(macro, name, condition) \
  macro(SIMT_PARTS, __vcmp##name, condition ? -1 : 0) macro(SIMT_PARTS, __vset##name, condition ? 1 : 0)

SIMT_SIGNED(SIMT_PART, __vabs, x < 0 ? -x : x)
SIMT_SIGNED(SIMT_PART, __vabsss, simt::cuda::kept_within<_Part>(x < 0 ? -x : x))
SIMT_SIGNED(SIMT_PART, __vneg, -x)
SIMT_SIGNED(SIMT_PART, __vnegss, simt::cuda::kept_within<_Part>(-x))
SIMT_UNSIGNED(SIMT_PARTS, __vadd, x + y)
SIMT_SIGNED(SIMT_PARTS, __vaddss, simt::cuda::kept_within<_Part>(x + y))
SIMT_UNSIGNED(SIMT_PARTS, __vaddus, simt::cuda::kept_within<_Part>(x + y))
SIMT_UNSIGNED(SIMT_PARTS, __vsub, x - y)
SIMT_SIGNED(SIMT_PARTS, __vsubss, simt::cuda::kept_within<_Part>(x - y))
SIMT_UNSIGNED(SIMT_PARTS, __vsubus, simt::cuda::kept_within<_Part>(x - y))
SIMT_SIGNED(SIMT_PARTS, __vabsdiffs, simt::cuda::distance(x, y))
SIMT_UNSIGNED(SIMT_PARTS, __vabsdiffu, simt::cuda::distance(x, y))
SIMT_SIGNED(SIMT_PARTS, __vavgs, simt::cuda::average(x, y))
SIMT_UNSIGNED(SIMT_PARTS, __vavgu, simt::cuda::average(x, y))
SIMT_UNSIGNED(SIMT_PARTS, __vhaddu, (x + y) >> 1)
SIMT_SIGNED(SIMT_PARTS, __vmaxs, x < y ? y : x)
SIMT_UNSIGNED(SIMT_PARTS, __vmaxu, x < y ? y : x)
SIMT_SIGNED(SIMT_PARTS, __vmins, y < x ? y : x)
SIMT_UNSIGNED(SIMT_PARTS, __vminu, y < x ? y : x)
SIMT_COMPARISON(SIMT_UNSIGNED, eq, x == y)
SIMT_COMPARISON(SIMT_UNSIGNED, ne, x != y)
SIMT_COMPARISON(SIMT_SIGNED, ges, x >= y)
SIMT_COMPARISON(SIMT_UNSIGNED, geu, x >= y)
SIMT_COMPARISON(SIMT_SIGNED, gts, x > y)
SIMT_COMPARISON(SIMT_UNSIGNED, gtu, x > y)
SIMT_COMPARISON(SIMT_SIGNED, les, x <= y)
SIMT_COMPARISON(SIMT_UNSIGNED, leu, x <= y)
SIMT_COMPARISON(SIMT_SIGNED, lts, x < y)
SIMT_COMPARISON(SIMT_UNSIGNED, ltu, x < y)

__device__ __forceinline__ unsigned __vsads2(unsigned a, unsigned b) {
  return simt::cuda::sum_of_distances<signed short>(a, b);
}
__device__ __forceinline__ unsigned __vsadu2(unsigned a, unsigned b) {
  return simt::cuda::sum_of_distances<unsigned short>(a, b);
}
__device__ __forceinline__ unsigned __vsads4(unsigned a, unsigned b) {
  return simt::cuda::sum_of_distances<signed char>(a, b);
}
__device__ __forceinline__ unsigned __vsadu4(unsigned a, unsigned b) {
  return simt::cuda::sum_of_distances<unsigned char>(a, b);
}

#undef SIMT_COMPARISON
#undef SIMT_UNSIGNED
#undef SIMT_SIGNED
#undef SIMT_BOTH_WIDTHS
#undef SIMT_PART
#undef SIMT_PARTS
