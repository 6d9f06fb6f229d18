// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions between numbers with a given rounding, and bits read as another type.
//
// The suffixes: rn to the nearest (ties to even), rz towards zero, ru up, rd down. A float that does not fit into
// the integer gives the integer's nearest end, and a NaN gives 0, as AMD's instructions do.
#pragma once

#include <stdint.h>

#include <limits>
#include <type_traits>

#include "hip/detail/c_library.h"
#include "hip/detail/host_defines.h"

SIMT_BOTH_SIDES_BEGIN

namespace simt {
namespace hip {

/// The integer of a float that has no fraction, or of its integer part.
template <class _Integer, class _Float>
__forceinline__ _Integer to_integer(_Float v) {
  using limits = std::numeric_limits<_Integer>;
  // Both bounds are powers of two, or 0, and so exact in _Float.
  constexpr _Float past_end = static_cast<_Float>(limits::max() / 2 + 1) * 2;
  if (v != v) return 0;
  if (v >= past_end) return limits::max();
  if (v < static_cast<_Float>(limits::min())) return limits::min();
  return static_cast<_Integer>(v);
}

enum class rounding { toward_zero, up, down };

/// Converts with a directed rounding: to the nearest number, or to its neighbor if that lies on the wrong side.
template <rounding direction, class _Float, class _From>
inline _Float convert(_From v) {
  const _Float nearest = static_cast<_Float>(v);
  bool too_large, too_small;
  if constexpr (std::is_integral_v<_From>) {
    // `nearest` may be one past the type's end, where it is certainly too large.
    using limits = std::numeric_limits<_From>;
    constexpr _Float past_end = static_cast<_Float>(limits::max() / 2 + 1) * 2;
    too_large = nearest >= past_end || static_cast<_From>(nearest) > v;
    too_small = !too_large && static_cast<_From>(nearest) < v;
  } else {
    too_large = static_cast<_From>(nearest) > v;
    too_small = static_cast<_From>(nearest) < v;
  }
  const bool negative = v < 0;
  const bool lower = direction == rounding::down || (direction == rounding::toward_zero && !negative);
  const bool upper = direction == rounding::up || (direction == rounding::toward_zero && negative);
  constexpr _Float infinity = std::numeric_limits<_Float>::infinity();
  if (lower && too_large) return std::nextafter(nearest, -infinity);
  if (upper && too_small) return std::nextafter(nearest, infinity);
  return nearest;
}

template <class _To, class _From>
__forceinline__ _To same_bits(_From v) {
  static_assert(sizeof(_To) == sizeof(_From));
  _To target;
  memcpy(&target, &v, sizeof target);
  return target;
}

}  // namespace hip
}  // namespace simt

// _Float to integer.
#define SIMT_TO_INTEGER(source, type, target, integer)                                                                \
  __device__ __forceinline__ integer __##source##2##target##_rn(type v) {                                             \
    return simt::hip::to_integer<integer>(std::nearbyint(v));                                                         \
  }                                                                                                                   \
  __device__ __forceinline__ integer __##source##2##target##_rz(type v) { return simt::hip::to_integer<integer>(v); } \
  __device__ __forceinline__ integer __##source##2##target##_ru(type v) {                                             \
    return simt::hip::to_integer<integer>(std::ceil(v));                                                              \
  }                                                                                                                   \
  __device__ __forceinline__ integer __##source##2##target##_rd(type v) {                                             \
    return simt::hip::to_integer<integer>(std::floor(v));                                                             \
  }
SIMT_TO_INTEGER(float, float, int, int)
SIMT_TO_INTEGER(float, float, uint, unsigned)
SIMT_TO_INTEGER(float, float, ll, long long)
SIMT_TO_INTEGER(float, float, ull, unsigned long long)
SIMT_TO_INTEGER(double, double, int, int)
SIMT_TO_INTEGER(double, double, uint, unsigned)
SIMT_TO_INTEGER(double, double, ll, long long)
SIMT_TO_INTEGER(double, double, ull, unsigned long long)
#undef SIMT_TO_INTEGER

// Anything to a float that may have to round.
#define SIMT_TO_FLOAT(source, type, target)                                                               \
  __device__ __forceinline__ target __##source##2##target##_rn(type v) { return static_cast<target>(v); } \
  __device__ __forceinline__ target __##source##2##target##_rz(type v) {                                  \
    return simt::hip::convert<simt::hip::rounding::toward_zero, target>(v);                               \
  }                                                                                                       \
  __device__ __forceinline__ target __##source##2##target##_ru(type v) {                                  \
    return simt::hip::convert<simt::hip::rounding::up, target>(v);                                        \
  }                                                                                                       \
  __device__ __forceinline__ target __##source##2##target##_rd(type v) {                                  \
    return simt::hip::convert<simt::hip::rounding::down, target>(v);                                      \
  }
SIMT_TO_FLOAT(int, int, float)
SIMT_TO_FLOAT(uint, unsigned, float)
SIMT_TO_FLOAT(ll, long long, float)
SIMT_TO_FLOAT(ull, unsigned long long, float)
SIMT_TO_FLOAT(ll, long long, double)
SIMT_TO_FLOAT(ull, unsigned long long, double)
SIMT_TO_FLOAT(double, double, float)
#undef SIMT_TO_FLOAT

// These are exact.
__device__ __forceinline__ double __int2double_rn(int v) { return v; }
__device__ __forceinline__ double __uint2double_rn(unsigned v) { return v; }

// Give a value's bits another type.
__device__ __forceinline__ int __float_as_int(float v) { return simt::hip::same_bits<int>(v); }
__device__ __forceinline__ unsigned __float_as_uint(float v) { return simt::hip::same_bits<unsigned>(v); }
__device__ __forceinline__ float __int_as_float(int v) { return simt::hip::same_bits<float>(v); }
__device__ __forceinline__ float __uint_as_float(unsigned v) { return simt::hip::same_bits<float>(v); }
__device__ __forceinline__ long long __double_as_longlong(double v) { return simt::hip::same_bits<long long>(v); }
__device__ __forceinline__ double __longlong_as_double(long long v) { return simt::hip::same_bits<double>(v); }
__device__ __forceinline__ int __double2hiint(double v) { return static_cast<int>(__double_as_longlong(v) >> 32); }
__device__ __forceinline__ int __double2loint(double v) { return static_cast<int>(__double_as_longlong(v)); }
__device__ __forceinline__ double __hiloint2double(int high, int low) {
  return simt::hip::same_bits<double>(static_cast<uint64_t>(static_cast<unsigned>(high)) << 32 |
                                      static_cast<unsigned>(low));
}

SIMT_BOTH_SIDES_END
