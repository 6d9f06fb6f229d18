// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers of 8 bits with HIP's names: AMD's own (fnuz, HIP 6.2) and OCP's (since HIP 6.3). Conversions round to nearest
// even; those of the types saturate.
#pragma once

#include <limits>
#include <type_traits>

#include "hip/detail/byte_float.h"
#include "hip/hip_bf16.h"
#include "hip/hip_fp16.h"

#define HIP_FP8_TYPE_FNUZ 1
#define HIP_FP8_TYPE_OCP 1

enum __hip_fp8_interpretation_t { __HIP_E4M3_FNUZ = 0, __HIP_E5M2_FNUZ = 1, __HIP_E4M3 = 2, __HIP_E5M2 = 3 };
enum __hip_saturation_t { __HIP_NOSAT = 0, __HIP_SATFINITE = 1 };

typedef unsigned char __hip_fp8_storage_t;
typedef unsigned short __hip_fp8x2_storage_t;
typedef unsigned __hip_fp8x4_storage_t;

SIMT_BOTH_SIDES_BEGIN

// Of the storage types. The first number of a pair is in the lower bits.

inline __hip_fp8_storage_t __hip_cvt_double_to_fp8(double value, __hip_saturation_t saturation,
                                                   __hip_fp8_interpretation_t interpretation) {
  const bool saturates = saturation == __HIP_SATFINITE;
  switch (interpretation) {
    case __HIP_E4M3_FNUZ:
      return simt::e4m3_fnuz::round(value, saturates);
    case __HIP_E5M2_FNUZ:
      return simt::e5m2_fnuz::round(value, saturates);
    case __HIP_E4M3:
      return simt::e4m3::round(value, saturates);
    default:
      return simt::e5m2::round(value, saturates);
  }
}
inline __hip_fp8_storage_t __hip_cvt_float_to_fp8(float value, __hip_saturation_t saturation,
                                                  __hip_fp8_interpretation_t interpretation) {
  return __hip_cvt_double_to_fp8(value, saturation, interpretation);
}
inline __hip_fp8_storage_t __hip_cvt_halfraw_to_fp8(__half_raw value, __hip_saturation_t saturation,
                                                    __hip_fp8_interpretation_t interpretation) {
  return __hip_cvt_float_to_fp8(__half(value), saturation, interpretation);
}
inline __hip_fp8_storage_t __hip_cvt_bfloat16raw_to_fp8(__hip_bfloat16 value, __hip_saturation_t saturation,
                                                        __hip_fp8_interpretation_t interpretation) {
  return __hip_cvt_float_to_fp8(value, saturation, interpretation);
}
inline float __simt_fp8_to_float(__hip_fp8_storage_t bits, __hip_fp8_interpretation_t interpretation) {
  switch (interpretation) {
    case __HIP_E4M3_FNUZ:
      return simt::e4m3_fnuz::widen(bits);
    case __HIP_E5M2_FNUZ:
      return simt::e5m2_fnuz::widen(bits);
    case __HIP_E4M3:
      return simt::e4m3::widen(bits);
    default:
      return simt::e5m2::widen(bits);
  }
}
inline __half_raw __hip_cvt_fp8_to_halfraw(__hip_fp8_storage_t bits, __hip_fp8_interpretation_t interpretation) {
  return {__half(__simt_fp8_to_float(bits, interpretation)).bits};
}
inline __half2_raw __hip_cvt_fp8x2_to_halfraw2(__hip_fp8x2_storage_t bits, __hip_fp8_interpretation_t interpretation) {
  return {__hip_cvt_fp8_to_halfraw(static_cast<__hip_fp8_storage_t>(bits), interpretation).x,
          __hip_cvt_fp8_to_halfraw(static_cast<__hip_fp8_storage_t>(bits >> 8), interpretation).x};
}

#define SIMT_PAIRS(name, T, each, first, second)                                              \
  inline __hip_fp8x2_storage_t name(T value, __hip_saturation_t saturation,                   \
                                    __hip_fp8_interpretation_t interpretation) {              \
    return static_cast<__hip_fp8x2_storage_t>(each(first, saturation, interpretation) |       \
                                              each(second, saturation, interpretation) << 8); \
  }
SIMT_PAIRS(__hip_cvt_float2_to_fp8x2, float2, __hip_cvt_float_to_fp8, value.x, value.y)
SIMT_PAIRS(__hip_cvt_double2_to_fp8x2, double2, __hip_cvt_double_to_fp8, value.x, value.y)
SIMT_PAIRS(__hip_cvt_halfraw2_to_fp8x2, __half2_raw, __hip_cvt_halfraw_to_fp8, __half_raw{value.x}, __half_raw{value.y})
SIMT_PAIRS(__hip_cvt_bfloat16raw2_to_fp8x2, __hip_bfloat162, __hip_cvt_bfloat16raw_to_fp8, value.x, value.y)
#undef SIMT_PAIRS

// One, two and four numbers. An integer is the number without its fraction, at the type's ends where it lies outside,
// and 0 for a NaN.
#define SIMT_BYTE_FLOAT(format, interpretation)                                                                      \
  struct __hip_fp8_##format {                                                                                        \
    __hip_fp8_storage_t __x;                                                                                         \
    static constexpr __hip_saturation_t __default_saturation = __HIP_SATFINITE;                                      \
    static constexpr __hip_fp8_interpretation_t __default_interpret = interpretation;                                \
    __hip_fp8_##format() = default;                                                                                  \
    template <class _Tp, class = std::enable_if_t<std::is_arithmetic_v<_Tp>>>                                        \
    __hip_fp8_##format(_Tp value) : __x(simt::format::round(static_cast<double>(value), true)) {}                    \
    __hip_fp8_##format(__half value) : __hip_fp8_##format(float(value)) {}                                           \
    __hip_fp8_##format(__hip_bfloat16 value) : __hip_fp8_##format(float(value)) {}                                   \
    operator float() const { return simt::format::widen(__x); }                                                      \
    explicit operator __half() const { return float(*this); }                                                        \
    explicit operator __hip_bfloat16() const { return float(*this); }                                                \
    explicit operator bool() const { return (__x & 0x7f) != 0 || simt::format::is_nan(__x); }                        \
    template <class _Tp, class = std::enable_if_t<std::is_integral_v<_Tp> && !std::is_same_v<_Tp, bool>>>            \
    explicit operator _Tp() const {                                                                                  \
      return simt::as_integer<_Tp>(__builtin_trunc(static_cast<double>(float(*this))));                              \
    }                                                                                                                \
  };                                                                                                                 \
  struct __hip_fp8x2_##format {                                                                                      \
    __hip_fp8x2_storage_t __x;                                                                                       \
    __hip_fp8x2_##format() = default;                                                                                \
    __hip_fp8x2_##format(float2 value) : __x(__hip_cvt_float2_to_fp8x2(value, __HIP_SATFINITE, interpretation)) {}   \
    __hip_fp8x2_##format(double2 value) : __x(__hip_cvt_double2_to_fp8x2(value, __HIP_SATFINITE, interpretation)) {} \
    __hip_fp8x2_##format(__half2 value) : __hip_fp8x2_##format(float2{float(value.x), float(value.y)}) {}            \
    __hip_fp8x2_##format(__hip_bfloat162 value) : __hip_fp8x2_##format(float2{float(value.x), float(value.y)}) {}    \
    operator float2() const {                                                                                        \
      return {simt::format::widen(static_cast<__hip_fp8_storage_t>(__x)),                                            \
              simt::format::widen(static_cast<__hip_fp8_storage_t>(__x >> 8))};                                      \
    }                                                                                                                \
    explicit operator __half2() const { return {float2(*this).x, float2(*this).y}; }                                 \
  };                                                                                                                 \
  struct __hip_fp8x4_##format {                                                                                      \
    __hip_fp8x4_storage_t __x;                                                                                       \
    __hip_fp8x4_##format() = default;                                                                                \
    __hip_fp8x4_##format(float4 value)                                                                               \
        : __x(__hip_fp8x2_##format(float2{value.x, value.y}).__x |                                                   \
              static_cast<unsigned>(__hip_fp8x2_##format(float2{value.z, value.w}).__x) << 16) {}                    \
    __hip_fp8x4_##format(double4 value)                                                                              \
        : __x(__hip_fp8x2_##format(double2{value.x, value.y}).__x |                                                  \
              static_cast<unsigned>(__hip_fp8x2_##format(double2{value.z, value.w}).__x) << 16) {}                   \
    operator float4() const {                                                                                        \
      __hip_fp8x2_##format low, high;                                                                                \
      low.__x = static_cast<__hip_fp8x2_storage_t>(__x);                                                             \
      high.__x = static_cast<__hip_fp8x2_storage_t>(__x >> 16);                                                      \
      return {float2(low).x, float2(low).y, float2(high).x, float2(high).y};                                         \
    }                                                                                                                \
  };
SIMT_BYTE_FLOAT(e4m3_fnuz, __HIP_E4M3_FNUZ)
SIMT_BYTE_FLOAT(e5m2_fnuz, __HIP_E5M2_FNUZ)
SIMT_BYTE_FLOAT(e4m3, __HIP_E4M3)
SIMT_BYTE_FLOAT(e5m2, __HIP_E5M2)
#undef SIMT_BYTE_FLOAT

SIMT_BOTH_SIDES_END
