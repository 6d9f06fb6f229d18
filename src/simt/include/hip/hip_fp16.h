// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Half precision: __half and __half2 with HIP's names. One bit of sign, 5 of exponent, 10 of fraction.
#pragma once

#include "hip/detail/narrow_float.h"
#include "hip/hip_vector_types.h"

#define SIMT_NARROW __half
#define SIMT_PAIR __half2
#define SIMT_FORMAT simt::half_format
#define SIMT_NAME(before, after) __##before##half##after
#include "hip/detail/narrow_type.h"

SIMT_BOTH_SIDES_BEGIN
#undef SIMT_NAME
#undef SIMT_FORMAT
#undef SIMT_PAIR
#undef SIMT_NARROW

typedef __half half;
typedef __half2 half2;

/// The bits without the arithmetic.
struct __half_raw {
  unsigned short x;
  constexpr operator __half() const { return __half::of_bits(x); }
};
struct __half2_raw {
  unsigned short x, y;
  constexpr operator __half2() const { return {__half::of_bits(x), __half::of_bits(y)}; }
};

inline __half2 make_half2(__half x, __half y) { return {x, y}; }

// Bits.

inline short __half_as_short(__half a) { return static_cast<short>(a.bits); }
inline unsigned short __half_as_ushort(__half a) { return a.bits; }
inline __half __short_as_half(short bits) { return __half::of_bits(static_cast<unsigned short>(bits)); }
inline __half __ushort_as_half(unsigned short bits) { return __half::of_bits(bits); }

// From and to float: _rn to nearest even, _rz towards zero, _ru up, _rd down.

inline float __half2float(__half a) { return a; }
inline __half __float2half(float a) { return a; }
inline __half __float2half_rn(float a) { return a; }
inline __half __float2half_rz(float a) { return __half::of_bits(simt::half_format::round(a, simt::rounding::zero)); }
inline __half __float2half_ru(float a) { return __half::of_bits(simt::half_format::round(a, simt::rounding::up)); }
inline __half __float2half_rd(float a) { return __half::of_bits(simt::half_format::round(a, simt::rounding::down)); }
inline __half __double2half(double a) { return a; }

inline __half2 __float2half2_rn(float a) { return {a, a}; }
inline __half2 __floats2half2_rn(float x, float y) { return {x, y}; }
inline __half2 __float22half2_rn(float2 a) { return {a.x, a.y}; }
inline float2 __half22float2(__half2 a) { return {float(a.x), float(a.y)}; }

// Pairs.

inline __half __low2half(__half2 a) { return a.x; }
inline __half __high2half(__half2 a) { return a.y; }
inline __half2 __half2half2(__half a) { return {a, a}; }
inline __half2 __halves2half2(__half x, __half y) { return {x, y}; }
inline __half2 __low2half2(__half2 a) { return {a.x, a.x}; }
inline __half2 __high2half2(__half2 a) { return {a.y, a.y}; }
inline __half2 __lows2half2(__half2 a, __half2 b) { return {a.x, b.x}; }
inline __half2 __highs2half2(__half2 a, __half2 b) { return {a.y, b.y}; }

// Loads that say how they are cached: this machine has one kind of memory.
#ifndef __WARPZ_CUDA__
#define SIMT_LOAD(name)                                                              \
  __device__ __forceinline__ __half name(const __half* address) { return *address; } \
  __device__ __forceinline__ __half2 name(const __half2* address) { return *address; }
SIMT_LOAD(__ldca)
SIMT_LOAD(__ldcg)
SIMT_LOAD(__ldcs)
#undef SIMT_LOAD
#endif

// Results limited to 0 … 1; a NaN becomes 0.

inline __half __clamp_01(__half a) {
  if (!(a > __half(0))) return __half(0);
  return a < __half(1) ? a : __half(1);
}
inline __half __hadd_sat(__half a, __half b) { return __clamp_01(a + b); }
inline __half __hsub_sat(__half a, __half b) { return __clamp_01(a - b); }
inline __half __hmul_sat(__half a, __half b) { return __clamp_01(a * b); }
inline __half __hfma_sat(__half a, __half b, __half c) { return __clamp_01(__hfma(a, b, c)); }
inline __half2 __hadd2_sat(__half2 a, __half2 b) { return {__hadd_sat(a.x, b.x), __hadd_sat(a.y, b.y)}; }
inline __half2 __hsub2_sat(__half2 a, __half2 b) { return {__hsub_sat(a.x, b.x), __hsub_sat(a.y, b.y)}; }
inline __half2 __hmul2_sat(__half2 a, __half2 b) { return {__hmul_sat(a.x, b.x), __hmul_sat(a.y, b.y)}; }
inline __half2 __hfma2_sat(__half2 a, __half2 b, __half2 c) {
  return {__hfma_sat(a.x, b.x, c.x), __hfma_sat(a.y, b.y, c.y)};
}

SIMT_BOTH_SIDES_END
