// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One operation, rounded in a given direction: rz towards zero, ru up, rd down. (math_functions.h has rn, to nearest.)
//
// Each result is the nearest number or its neighbor, by the sign of what rounding to nearest has left out, which fused
// operations tell exactly.
#pragma once

#include "hip/detail/math_functions.h"

namespace simt {
namespace hip {

enum class direction { toward_zero, up, down };

/// `nearest` is the operation's result rounded to nearest, and `error` has the sign of the exact result less that.
template <direction where, class _Tp>
__device__ inline _Tp directed(_Tp nearest, _Tp error, bool is_finite) {
  // The exact result is finite, and so on the near side of an infinity.
  if (__builtin_isinf(nearest) && is_finite) error = -nearest;
  constexpr _Tp infinity = static_cast<_Tp>(__builtin_huge_val());
  const bool is_low = error > 0, is_high = error < 0;
  if (where == direction::up || (where == direction::toward_zero && nearest < 0)) {
    return is_low ? std::nextafter(nearest, infinity) : nearest;
  }
  return is_high ? std::nextafter(nearest, -infinity) : nearest;
}

template <direction where, class _Tp>
__device__ inline _Tp directed_add(_Tp x, _Tp y) {
  const _Tp sum = rounded(x + y);
  const _Tp from_y = rounded(sum - x);
  const _Tp error = rounded(x - rounded(sum - from_y)) + rounded(y - from_y);
  // x + -x is -0 only when it is rounded down.
  if (sum == 0 && error == 0 && x != 0) return where == direction::down ? -_Tp(0) : _Tp(0);
  return directed<where>(sum, error, __builtin_isfinite(x) && __builtin_isfinite(y));
}

template <direction where, class _Tp>
__device__ inline _Tp directed_multiply(_Tp x, _Tp y) {
  const _Tp product = rounded(x * y);
  return directed<where>(product, std::fma(x, y, -product), __builtin_isfinite(x) && __builtin_isfinite(y));
}

template <direction where, class _Tp>
__device__ inline _Tp directed_divide(_Tp x, _Tp y) {
  const _Tp quotient = rounded(x / y);
  const _Tp rest = std::fma(-quotient, y, x);
  return directed<where>(quotient, y < 0 ? -rest : rest, __builtin_isfinite(x) && y != 0);
}

template <direction where, class _Tp>
__device__ inline _Tp directed_root(_Tp x) {
  const _Tp root = std::sqrt(x);
  return directed<where>(root, std::fma(-root, root, x), __builtin_isfinite(x));
}

/// The product of two floats is exact as a double.
template <direction where>
__device__ inline float directed_fma(float x, float y, float z) {
  const float nearest = std::fma(x, y, z);
  const double product = static_cast<double>(x) * y;
  const double sum = rounded(product + z);
  const double from_z = rounded(sum - product);
  const double error = rounded(product - rounded(sum - from_z)) + rounded(z - from_z);
  const double rest = sum - static_cast<double>(nearest);
  const float sign = rest > 0 || (rest == 0 && error > 0) ? 1.0f : rest < 0 || error < 0 ? -1.0f : 0.0f;
  return directed<where>(nearest, sign, __builtin_isfinite(x) && __builtin_isfinite(y) && __builtin_isfinite(z));
}

}  // namespace hip
}  // namespace simt

#define SIMT_DIRECTED(f, type, suffix, where)                                   \
  __device__ __forceinline__ type __##f##add_##suffix(type x, type y) {         \
    return simt::hip::directed_add<simt::hip::direction::where>(x, y);          \
  }                                                                             \
  __device__ __forceinline__ type __##f##sub_##suffix(type x, type y) {         \
    return simt::hip::directed_add<simt::hip::direction::where>(x, -y);         \
  }                                                                             \
  __device__ __forceinline__ type __##f##mul_##suffix(type x, type y) {         \
    return simt::hip::directed_multiply<simt::hip::direction::where>(x, y);     \
  }                                                                             \
  __device__ __forceinline__ type __##f##div_##suffix(type x, type y) {         \
    return simt::hip::directed_divide<simt::hip::direction::where>(x, y);       \
  }                                                                             \
  __device__ __forceinline__ type __##f##rcp_##suffix(type x) {                 \
    return simt::hip::directed_divide<simt::hip::direction::where>(type(1), x); \
  }                                                                             \
  __device__ __forceinline__ type __##f##sqrt_##suffix(type x) {                \
    return simt::hip::directed_root<simt::hip::direction::where>(x);            \
  }
#define SIMT_DIRECTIONS(suffix, where)                                          \
  SIMT_DIRECTED(f, float, suffix, where)                                        \
  SIMT_DIRECTED(d, double, suffix, where)                                       \
  __device__ __forceinline__ float __fmaf_##suffix(float x, float y, float z) { \
    return simt::hip::directed_fma<simt::hip::direction::where>(x, y, z);       \
  }
SIMT_DIRECTIONS(rz, toward_zero)
SIMT_DIRECTIONS(ru, up)
SIMT_DIRECTIONS(rd, down)
#undef SIMT_DIRECTIONS
#undef SIMT_DIRECTED
