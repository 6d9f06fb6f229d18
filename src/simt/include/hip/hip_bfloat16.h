// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HIP's older bfloat16 type, hip_bfloat16: explicit from float, implicit to it. hip_bf16.h has the newer one.
#pragma once

#include "hip/detail/narrow_float.h"
#include "hip/hip_common.h"

SIMT_BOTH_SIDES_BEGIN

struct hip_bfloat16 {
  std::uint16_t data;

  enum truncate_t { truncate };

  hip_bfloat16() = default;
  explicit constexpr hip_bfloat16(float value) : data(simt::bfloat16_format::round(value)) {}
  explicit constexpr hip_bfloat16(float value, truncate_t)
      : data(simt::bfloat16_format::round(value, simt::rounding::zero)) {}

  constexpr operator float() const { return simt::bfloat16_format::widen(data); }

  hip_bfloat16& operator=(float value) {
    data = simt::bfloat16_format::round(value);
    return *this;
  }

  static constexpr hip_bfloat16 round_to_bfloat16(float value) { return hip_bfloat16(value); }
  static constexpr hip_bfloat16 round_to_bfloat16(float value, truncate_t) { return hip_bfloat16(value, truncate); }

  friend constexpr hip_bfloat16 operator+(hip_bfloat16 a, hip_bfloat16 b) { return hip_bfloat16(float(a) + float(b)); }
  friend constexpr hip_bfloat16 operator-(hip_bfloat16 a, hip_bfloat16 b) { return hip_bfloat16(float(a) - float(b)); }
  friend constexpr hip_bfloat16 operator*(hip_bfloat16 a, hip_bfloat16 b) { return hip_bfloat16(float(a) * float(b)); }
  friend constexpr hip_bfloat16 operator/(hip_bfloat16 a, hip_bfloat16 b) { return hip_bfloat16(float(a) / float(b)); }
  friend constexpr hip_bfloat16 operator+(hip_bfloat16 a) { return a; }
  friend constexpr hip_bfloat16 operator-(hip_bfloat16 a) {
    a.data = static_cast<std::uint16_t>(a.data ^ 0x8000U);
    return a;
  }

  hip_bfloat16& operator+=(hip_bfloat16 b) { return *this = *this + b; }
  hip_bfloat16& operator-=(hip_bfloat16 b) { return *this = *this - b; }
  hip_bfloat16& operator*=(hip_bfloat16 b) { return *this = *this * b; }
  hip_bfloat16& operator/=(hip_bfloat16 b) { return *this = *this / b; }

  friend constexpr bool operator==(hip_bfloat16 a, hip_bfloat16 b) { return float(a) == float(b); }
  friend constexpr bool operator!=(hip_bfloat16 a, hip_bfloat16 b) { return float(a) != float(b); }
  friend constexpr bool operator<(hip_bfloat16 a, hip_bfloat16 b) { return float(a) < float(b); }
  friend constexpr bool operator<=(hip_bfloat16 a, hip_bfloat16 b) { return float(a) <= float(b); }
  friend constexpr bool operator>(hip_bfloat16 a, hip_bfloat16 b) { return float(a) > float(b); }
  friend constexpr bool operator>=(hip_bfloat16 a, hip_bfloat16 b) { return float(a) >= float(b); }
};

SIMT_BOTH_SIDES_END
