// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The order of a sort's keys: numbers as their values say, floats as std::strong_order but with all NaNs last, as
// equal.
#pragma once

#include <hip/hip_runtime.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "warpz/detail/platform.hpp"
#include "warpz/device_state.hpp"

namespace warpz {
namespace detail {

template <std::size_t bytes>
using small_word = std::conditional_t<bytes == 1, std::uint8_t, std::uint16_t>;

/// A key's bits, in whose order keys are sorted.
template <class _Tp>
using key_bits = std::conditional_t<sizeof(_Tp) <= 2, small_word<sizeof(_Tp)>,
                                    std::conditional_t<sizeof(_Tp) == 4, std::uint32_t, std::uint64_t>>;

template <class _Tp>
inline constexpr bool is_float_key = std::is_floating_point<_Tp>::value || is_half<_Tp> || is_bfloat16<_Tp>;

/// Of a float without its sign. All that is greater is a NaN.
template <class _Tp>
__device__ constexpr key_bits<_Tp> infinity_bits() {
  if constexpr (sizeof(_Tp) == 2) {
    return is_half<_Tp> ? 0x7c00 : 0x7f80;
  } else if constexpr (sizeof(_Tp) == 4) {
    return 0x7f800000;
  } else {
    return 0x7ff0000000000000;
  }
}

/// Of negative numbers the sign turns, and of floats all bits; NaNs come last.
template <class _Tp>
__device__ __forceinline__ key_bits<_Tp> ordered_bits(_Tp key) {
  using bits = key_bits<_Tp>;
  constexpr bits sign = static_cast<bits>(bits{1} << (8 * sizeof(bits) - 1)), all = static_cast<bits>(~bits{0});
  bits found;
  __builtin_memcpy(&found, &key, sizeof key);
  if constexpr (is_float_key<_Tp>) {
    if ((found & ~sign & all) > infinity_bits<_Tp>()) return all;
    return static_cast<bits>((found & sign) != 0 ? ~found : found | sign);
  } else {
    return static_cast<bits>(std::is_signed<_Tp>::value ? found ^ sign : found);
  }
}

/// A key that comes last, by all of its digits.
template <class _Tp>
__device__ __forceinline__ _Tp last_key() {
  constexpr bool has_sign = std::is_integral<_Tp>::value && std::is_signed<_Tp>::value;
  const key_bits<_Tp> bits = static_cast<key_bits<_Tp>>(static_cast<key_bits<_Tp>>(~key_bits<_Tp>{0}) >> has_sign);
  _Tp key;
  __builtin_memcpy(&key, &bits, sizeof key);
  return key;
}

template <class _Tp>
__device__ __forceinline__ unsigned digit_of(_Tp key, unsigned pass) {
  return static_cast<unsigned>(ordered_bits(key) >> pass * digit_bits) & (digit_values - 1);
}

}  // namespace detail
}  // namespace warpz
