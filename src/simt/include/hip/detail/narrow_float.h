// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floating-point numbers of 16 bits, as bits: rounding a double to them, and widening them, without hardware help.
//
// Arithmetic on them is done in double and rounded once; the results are those of IEEE 754.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#include "hip/detail/atomics.h"
#include "hip/detail/lane_values.h"

SIMT_BOTH_SIDES_BEGIN

namespace simt {

enum class rounding { nearest, zero, up, down };

/// A format with a sign bit and this many bits of exponent and fraction.
template <unsigned _ExponentBits, unsigned _FractionBits>
struct narrow_float {
  static constexpr std::uint32_t largest_exponent = (1U << _ExponentBits) - 1;
  static constexpr std::uint32_t infinity = largest_exponent << _FractionBits;
  static constexpr int bias = (1 << (_ExponentBits - 1)) - 1;

  /// To nearest with ties to even, or in another direction. A NaN stays one and becomes quiet.
  static constexpr std::uint16_t round(double value, rounding mode = rounding::nearest) {
    const std::uint64_t bits = __builtin_bit_cast(std::uint64_t, value);
    const bool negative = bits >> 63 != 0;
    const std::uint32_t sign = negative ? 0x8000U : 0U;
    const int wide_exponent = static_cast<int>(bits >> 52 & 0x7ff);
    const std::uint64_t fraction = bits & ((std::uint64_t{1} << 52) - 1);
    if (wide_exponent == 0x7ff) {
      const std::uint32_t payload = static_cast<std::uint32_t>(fraction >> (52 - _FractionBits));
      const std::uint32_t quiet = fraction != 0 ? payload | 1U << (_FractionBits - 1) : 0;
      return static_cast<std::uint16_t>(sign | infinity | quiet);
    }

    // The value is significand * 2^(exponent - bias - 52); below the smallest normal number bits are lost.
    const std::uint64_t significand = wide_exponent != 0 ? fraction | std::uint64_t{1} << 52 : fraction;
    int exponent = (wide_exponent != 0 ? wide_exponent : 1) - 1023 + bias;
    unsigned shift = 52 - _FractionBits;
    if (exponent < 1) {
      const unsigned deeper = shift + static_cast<unsigned>(1 - exponent);
      shift = deeper < 63 ? deeper : 63;
      exponent = 1;
    }
    const std::uint64_t kept = significand >> shift;
    const std::uint64_t lost = significand & ((std::uint64_t{1} << shift) - 1);
    const std::uint64_t half = std::uint64_t{1} << (shift - 1);
    bool away = false;
    switch (mode) {
      case rounding::nearest:
        away = lost > half || (lost == half && (kept & 1) != 0);
        break;
      case rounding::zero:
        break;
      case rounding::up:
        away = lost != 0 && !negative;
        break;
      case rounding::down:
        away = lost != 0 && negative;
        break;
    }
    // A carry out of the fraction rightly increments the exponent.
    const std::uint64_t magnitude = (static_cast<std::uint64_t>(exponent - 1) << _FractionBits) + kept + (away ? 1 : 0);
    if (magnitude < infinity) return static_cast<std::uint16_t>(sign | static_cast<std::uint32_t>(magnitude));
    const bool finite = mode == rounding::zero || mode == (negative ? rounding::up : rounding::down);
    return static_cast<std::uint16_t>(sign | (finite ? infinity - 1 : infinity));
  }

  /// Exact. A NaN becomes quiet.
  static constexpr float widen(std::uint16_t narrow) {
    const std::uint32_t sign = static_cast<std::uint32_t>(narrow & 0x8000U) << 16;
    const std::uint32_t exponent = static_cast<std::uint32_t>(narrow) >> _FractionBits & largest_exponent;
    const std::uint32_t fraction = narrow & ((1U << _FractionBits) - 1);
    if (exponent == 0 && _ExponentBits < 8) {
      const float magnitude = static_cast<float>(fraction) * subnormal_unit();
      return __builtin_bit_cast(float, __builtin_bit_cast(std::uint32_t, magnitude) | sign);
    }
    const std::uint32_t rebiased = exponent == largest_exponent ? 0xffU : exponent + static_cast<unsigned>(127 - bias);
    const std::uint32_t quiet = exponent == largest_exponent && fraction != 0 ? 1U << 22 : 0;
    return __builtin_bit_cast(float, sign | rebiased << 23 | fraction << (23 - _FractionBits) | quiet);
  }

  /// a * b + c, rounded once. Both factors and the summand are numbers of the format.
  static constexpr std::uint16_t multiply_add(double a, double b, double c) {
    // The product is exact in a double. The sum is rounded to odd, so that the lost bits decide no tie wrongly.
    const double product = a * b;
    const double sum = product + c;
    const double from_c = sum - product;
    const double error = (product - (sum - from_c)) + (c - from_c);
    std::uint64_t bits = __builtin_bit_cast(std::uint64_t, sum);
    const bool inexact = error < 0 || error > 0;
    if (inexact && (bits & 1) == 0) bits = (error > 0) == (sum > 0) ? bits + 1 : bits - 1;
    return round(__builtin_bit_cast(double, bits));
  }

  static constexpr bool is_nan(std::uint16_t bits) { return (bits & 0x7fffU) > infinity; }
  static constexpr bool is_infinite(std::uint16_t bits) { return (bits & 0x7fffU) == infinity; }

 private:
  /// The smallest positive number: 2^(1 - bias - _FractionBits).
  static constexpr float subnormal_unit() {
    return __builtin_bit_cast(float, static_cast<std::uint32_t>(128 - bias - static_cast<int>(_FractionBits)) << 23);
  }
};

/// A number as a double that rounds to a narrow format as the number itself would. An integer of 64 bits keeps its
/// upper 53, the last of them set where anything is lost.
template <class _Tp>
constexpr double as_double(_Tp number) {
  if constexpr (std::is_integral_v<_Tp> && sizeof(_Tp) == 8) {
    return static_cast<double>(number >> 11 | ((number & 0x7ff) != 0 ? 1 : 0)) * 2048.0;
  } else {
    return static_cast<double>(number);
  }
}

/// A number that is an integer already, as type _Tp: at _Tp's ends where it lies outside, 0 for a NaN.
template <class _Tp>
constexpr _Tp as_integer(double number) {
  if (!(number == number)) return 0;
  if (number <= static_cast<double>(std::numeric_limits<_Tp>::min())) return std::numeric_limits<_Tp>::min();
  if (number >= static_cast<double>(std::numeric_limits<_Tp>::max())) return std::numeric_limits<_Tp>::max();
  return static_cast<_Tp>(number);
}

using half_format = narrow_float<5, 10>;
using bfloat16_format = narrow_float<8, 7>;

}  // namespace simt

SIMT_BOTH_SIDES_END
