// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operations that sums, maxima and minima combine two values with, and which types are numbers. Vendor paths know
// these by their types.
#pragma once

#include <hip/hip_runtime.h>

#include <type_traits>

#include "warpz/detail/platform.hpp"

namespace warpz {
namespace detail {

/// Types that can be added up and compared: integers and floats of 32 and 64 bits, a half, a bfloat16.
template <class T>
inline constexpr bool is_number = (std::is_arithmetic<T>::value && !std::is_same<T, bool>::value &&
                                   (sizeof(T) == 4 || sizeof(T) == 8)) ||
                                  is_half<T> || is_bfloat16<T>;

struct plus {
  template <class T>
  __device__ __forceinline__ T operator()(T a, T b) const {
    return add(a, b);
  }
};

struct greater_of {
  template <class T>
  __device__ __forceinline__ T operator()(T a, T b) const {
    return maximum(a, b);
  }
};

struct lesser_of {
  template <class T>
  __device__ __forceinline__ T operator()(T a, T b) const {
    return minimum(a, b);
  }
};

/// Whether the operands may change places without a difference that is promised.
template <class Combine>
inline constexpr bool commutes = std::is_same<Combine, plus>::value || std::is_same<Combine, greater_of>::value ||
                                 std::is_same<Combine, lesser_of>::value;

}  // namespace detail
}  // namespace warpz
