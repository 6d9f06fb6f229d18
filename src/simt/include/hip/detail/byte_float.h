// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floating-point numbers of 8 bits, as bits: rounding a double to them, and widening them.
#pragma once

#include <cstdint>

#include "simt/detail/sides.hpp"

SIMT_BOTH_SIDES_BEGIN

namespace simt {

/// What the bits at the ends of a format mean. `fnuz`, AMD's CDNA3: neither an infinity nor a negative zero, whose bits
/// are the only NaN. `finite`, OCP's E4M3: no infinity, and all ones are a NaN. `ieee`, OCP's E5M2.
enum class byte_ends { fnuz, finite, ieee };

template <unsigned _ExponentBits, unsigned _FractionBits, byte_ends _Ends>
struct byte_float {
  static constexpr int bias = (1 << (_ExponentBits - 1)) - (_Ends == byte_ends::fnuz ? 0 : 1);
  static constexpr unsigned largest = _Ends == byte_ends::fnuz ? 0x7f : _Ends == byte_ends::finite ? 0x7e : 0x7b;

  static constexpr bool is_nan(std::uint8_t bits) {
    if (_Ends == byte_ends::fnuz) return bits == 0x80;
    return (bits & 0x7fU) > (_Ends == byte_ends::ieee ? 0x7cU : largest);
  }

  /// To nearest with ties to even. What is too large becomes the largest number if it saturates, otherwise an infinity,
  /// or a NaN where there is none.
  static constexpr std::uint8_t round(double value, bool saturates) {
    const std::uint64_t bits = __builtin_bit_cast(std::uint64_t, value);
    const unsigned sign = static_cast<unsigned>(bits >> 63) << 7;
    const int wide_exponent = static_cast<int>(bits >> 52 & 0x7ff);
    const std::uint64_t fraction = bits & ((std::uint64_t{1} << 52) - 1);
    const unsigned nan = _Ends == byte_ends::fnuz ? 0x80 : sign | 0x7f;
    const unsigned too_large = saturates ? sign | largest : _Ends == byte_ends::ieee ? sign | 0x7c : nan;
    if (wide_exponent == 0x7ff) {
      // As AMD's conversion has it, an infinity does not saturate where the format knows none from a NaN.
      return static_cast<std::uint8_t>(fraction != 0 || _Ends == byte_ends::fnuz ? nan : too_large);
    }
    // Below the smallest normal number bits are lost. A double's own subnormal numbers round to 0.
    const int exponent = wide_exponent - 1023 + bias;
    const unsigned deeper = exponent < 1 ? static_cast<unsigned>(1 - exponent) : 0;
    const unsigned shift = 52 - _FractionBits + (deeper < 11 ? deeper : 11);
    const std::uint64_t significand = wide_exponent != 0 ? fraction | std::uint64_t{1} << 52 : 0;
    const std::uint64_t kept = significand >> shift;
    const std::uint64_t lost = significand & ((std::uint64_t{1} << shift) - 1), half = std::uint64_t{1} << (shift - 1);
    const bool up = lost > half || (lost == half && (kept & 1) != 0);
    const std::uint64_t above = exponent < 1 ? 0 : static_cast<std::uint64_t>(exponent - 1) << _FractionBits;
    const std::uint64_t magnitude = deeper > 10 ? 0 : above + kept + (up ? 1 : 0);
    if (magnitude > largest) return static_cast<std::uint8_t>(too_large);
    if (magnitude == 0 && _Ends == byte_ends::fnuz) return 0;
    return static_cast<std::uint8_t>(sign | magnitude);
  }

  /// Exact.
  static constexpr float widen(std::uint8_t bits) {
    if (is_nan(bits)) return __builtin_nanf("");
    const float sign = (bits & 0x80) != 0 ? -1.0f : 1.0f;
    if (_Ends == byte_ends::ieee && (bits & 0x7f) == 0x7c) return sign * __builtin_inff();
    const int exponent = (bits & 0x7f) >> _FractionBits;
    const int fraction = bits & ((1 << _FractionBits) - 1);
    const int significand = exponent != 0 ? fraction | 1 << _FractionBits : fraction;
    const int scale = (exponent != 0 ? exponent : 1) - bias - static_cast<int>(_FractionBits);
    return sign * static_cast<float>(significand) *
           __builtin_bit_cast(float, static_cast<std::uint32_t>(scale + 127) << 23);
  }
};

using e4m3_fnuz = byte_float<4, 3, byte_ends::fnuz>;
using e5m2_fnuz = byte_float<5, 2, byte_ends::fnuz>;
using e4m3 = byte_float<4, 3, byte_ends::finite>;
using e5m2 = byte_float<5, 2, byte_ends::ieee>;

}  // namespace simt

SIMT_BOTH_SIDES_END
