// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bfloat16: __hip_bfloat16 and __hip_bfloat162 with HIP's names. The upper half of a float.
#pragma once

#include "hip/detail/narrow_float.h"
#include "hip/hip_vector_types.h"

#define SIMT_NARROW __hip_bfloat16
#define SIMT_PAIR __hip_bfloat162
#define SIMT_FORMAT simt::bfloat16_format
#define SIMT_NAME(before, after) __##before##bfloat16##after
#include "hip/detail/narrow_type.h"

// Constants.
#define HIPRT_INF_BF16 __ushort_as_bfloat16(0x7f80U)
#define HIPRT_MAX_NORMAL_BF16 __ushort_as_bfloat16(0x7f7fU)
#define HIPRT_MIN_DENORM_BF16 __ushort_as_bfloat16(0x0001U)
#define HIPRT_NAN_BF16 __ushort_as_bfloat16(0x7fffU)
#define HIPRT_NEG_ZERO_BF16 __ushort_as_bfloat16(0x8000U)
#define HIPRT_ONE_BF16 __ushort_as_bfloat16(0x3f80U)
#define HIPRT_ZERO_BF16 __ushort_as_bfloat16(0x0000U)

SIMT_BOTH_SIDES_BEGIN
#undef SIMT_NAME
#undef SIMT_FORMAT
#undef SIMT_PAIR
#undef SIMT_NARROW

/// The bits without the arithmetic.
struct __hip_bfloat16_raw {
  unsigned short x;
  constexpr operator __hip_bfloat16() const { return __hip_bfloat16::of_bits(x); }
};
struct __hip_bfloat162_raw {
  unsigned short x, y;
  constexpr operator __hip_bfloat162() const { return {__hip_bfloat16::of_bits(x), __hip_bfloat16::of_bits(y)}; }
};

// Bits.

inline short __bfloat16_as_short(__hip_bfloat16 a) { return static_cast<short>(a.bits); }
inline unsigned short __bfloat16_as_ushort(__hip_bfloat16 a) { return a.bits; }
inline __hip_bfloat16 __short_as_bfloat16(short bits) {
  return __hip_bfloat16::of_bits(static_cast<unsigned short>(bits));
}
inline __hip_bfloat16 __ushort_as_bfloat16(unsigned short bits) { return __hip_bfloat16::of_bits(bits); }

// From and to float, to nearest even.

inline float __bfloat162float(__hip_bfloat16 a) { return a; }
inline __hip_bfloat16 __float2bfloat16(float a) { return a; }
inline __hip_bfloat16 __float2bfloat16_rn(float a) { return a; }
inline __hip_bfloat16 __double2bfloat16(double a) { return a; }
inline float2 __bfloat1622float2(__hip_bfloat162 a) { return {float(a.x), float(a.y)}; }
inline __hip_bfloat162 __float22bfloat162_rn(float2 a) { return {a.x, a.y}; }
inline __hip_bfloat162 __float2bfloat162_rn(float a) { return {a, a}; }

// Pairs.

inline __hip_bfloat16 __low2bfloat16(__hip_bfloat162 a) { return a.x; }
inline __hip_bfloat16 __high2bfloat16(__hip_bfloat162 a) { return a.y; }
inline __hip_bfloat162 __bfloat162bfloat162(__hip_bfloat16 a) { return {a, a}; }
inline __hip_bfloat162 __halves2bfloat162(__hip_bfloat16 x, __hip_bfloat16 y) { return {x, y}; }
inline __hip_bfloat162 __low2bfloat162(__hip_bfloat162 a) { return {a.x, a.x}; }
inline __hip_bfloat162 __high2bfloat162(__hip_bfloat162 a) { return {a.y, a.y}; }
inline __hip_bfloat162 __lows2bfloat162(__hip_bfloat162 a, __hip_bfloat162 b) { return {a.x, b.x}; }
inline __hip_bfloat162 __highs2bfloat162(__hip_bfloat162 a, __hip_bfloat162 b) { return {a.y, b.y}; }

SIMT_BOTH_SIDES_END
