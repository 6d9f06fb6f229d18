// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which value_type a C++ type has.
#pragma once

#include <type_traits>
#include <utility>

#include "simt/lane.hpp"

SIMT_BOTH_SIDES_BEGIN

// The types of 16 bits; their headers are their users' to include.
struct __half;
struct hip_bfloat16;
struct __hip_bfloat16;
// HIP's float2 and the like; CUDA's are plain structs.
template <class _Tp, unsigned _Np>
struct HIP_vector_type;

namespace simt {

/// A struct of two floats. Braces refuse a float where an integer belongs.
template <class _Tp, class = void>
inline constexpr bool is_float_pair = false;
template <class _Tp>
inline constexpr bool is_float_pair<_Tp, std::void_t<decltype(_Tp{std::declval<float>(), std::declval<float>()})>> =
    std::is_same_v<_Tp, ::HIP_vector_type<float, 2>> || (std::is_aggregate_v<_Tp> && sizeof(_Tp) == 2 * sizeof(float));

template <class _Tp>
constexpr value_type value_type_of() {
  using type = std::remove_cv_t<_Tp>;
  if constexpr (std::is_same_v<type, ::__half>) {
    return value_type::float16;
  } else if constexpr (std::is_same_v<type, ::hip_bfloat16> || std::is_same_v<type, ::__hip_bfloat16>) {
    return value_type::bfloat16;
  } else if constexpr (std::is_floating_point_v<type> && sizeof(type) <= 8) {
    return sizeof(type) == 4 ? value_type::float32 : value_type::float64;
  } else if constexpr (std::is_integral_v<type> && sizeof(type) <= 8) {
    // A smaller integer travels in the low bits of a word whose other bits are zero.
    if constexpr (std::is_signed_v<type> && sizeof(type) >= 4) {
      return sizeof(type) == 4 ? value_type::int32 : value_type::int64;
    } else {
      return sizeof(type) <= 4 ? value_type::uint32 : value_type::uint64;
    }
  } else if constexpr (is_float_pair<type>) {
    return value_type::float32_pair;
  } else {
    return value_type::bits;
  }
}

}  // namespace simt

SIMT_BOTH_SIDES_END
