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
