// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operations that sums, maxima and minima combine two values with, which types are numbers, and their zeros. Vendor
// paths know these by their types.
#pragma once

#include <hip/hip_runtime.h>

#include <type_traits>

#include "warpz/detail/platform.hpp"

namespace warpz {
namespace detail {

/// Types that can be added up and compared: integers and floats of 32 and 64 bits, a half, a bfloat16.
template <class _Tp>
inline constexpr bool is_number = (std::is_arithmetic<_Tp>::value && !std::is_same<_Tp, bool>::value &&
                                   (sizeof(_Tp) == 4 || sizeof(_Tp) == 8)) ||
                                  is_half<_Tp> || is_bfloat16<_Tp>;

/// Integers of 8 and 16 bits, which are widened before they are combined.
template <class _Tp>
inline constexpr bool is_narrow_integer =
    std::is_integral<_Tp>::value && !std::is_same<_Tp, bool>::value && sizeof(_Tp) < sizeof(int);

/// What an operation over a whole array combines: of narrow types, 32 bits. So sums of halves are rounded once.
template <class _Tp>
using wide = std::conditional_t<is_narrow_integer<_Tp>, std::conditional_t<std::is_signed<_Tp>::value, int, unsigned>,
                                std::conditional_t<is_half<_Tp> || is_bfloat16<_Tp>, float, _Tp>>;

/// Types of arrays that operations over whole arrays combine.
template <class _Tp>
inline constexpr bool is_element = is_number<_Tp> || is_narrow_integer<_Tp>;

struct plus {
  template <class _Tp>
  __device__ __forceinline__ _Tp operator()(_Tp a, _Tp b) const {
    return add(a, b);
  }
};

struct max_operation {
  template <class _Tp>
  __device__ __forceinline__ _Tp operator()(_Tp a, _Tp b) const {
    return maximum(a, b);
  }
};

struct min_operation {
  template <class _Tp>
  __device__ __forceinline__ _Tp operator()(_Tp a, _Tp b) const {
    return minimum(a, b);
  }
};

/// x + adds_nothing() has x's bits: 0, of a float the negative one.
template <class _Tp>
__device__ __forceinline__ _Tp adds_nothing() {
  if constexpr (std::is_integral<_Tp>::value) {
    return _Tp{0};
  } else {
    return static_cast<_Tp>(-0.0f);
  }
}

template <class _Tp>
__device__ __forceinline__ _Tp zero() {
  if constexpr (std::is_integral<_Tp>::value) {
    return _Tp{0};
  } else {
    return static_cast<_Tp>(0.0f);
  }
}

/// Whether the operands may change places without a difference that is promised.
template <class _Combine>
inline constexpr bool commutes = std::is_same<_Combine, plus>::value || std::is_same<_Combine, max_operation>::value ||
                                 std::is_same<_Combine, min_operation>::value;

}  // namespace detail
}  // namespace warpz
