// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// __reduce_add_sync and the like: combine the values of all lanes that a mask names, in each of these lanes.
//
// The mask has 64 bits; who must take part is as in votes.h. Sums, minima and maxima are of int, unsigned, long
// long, unsigned long long, float and double; the bit operations of the integers among them. Integers wrap. Floats
// are added neighbors first; a minimum or maximum ignores a NaN if there is a number.
#pragma once

#include "hip/detail/lane_values.h"

SIMT_BOTH_SIDES_BEGIN

namespace simt {
namespace hip {

struct combine_add {
  template <class _Tp>
  _Tp operator()(_Tp a, _Tp b) const {
    if constexpr (std::is_integral_v<_Tp>) {
      using word = std::make_unsigned_t<_Tp>;
      return static_cast<_Tp>(static_cast<word>(a) + static_cast<word>(b));
    } else {
      return a + b;
    }
  }
};

struct combine_min {
  template <class _Tp>
  _Tp operator()(_Tp a, _Tp b) const {
    return b < a || a != a ? b : a;
  }
};

struct combine_max {
  template <class _Tp>
  _Tp operator()(_Tp a, _Tp b) const {
    return b > a || a != a ? b : a;
  }
};

struct combine_and {
  template <class _Tp>
  _Tp operator()(_Tp a, _Tp b) const {
    return a & b;
  }
};

struct combine_or {
  template <class _Tp>
  _Tp operator()(_Tp a, _Tp b) const {
    return a | b;
  }
};

struct combine_xor {
  template <class _Tp>
  _Tp operator()(_Tp a, _Tp b) const {
    return a ^ b;
  }
};

template <class _Combine, class _Mask, class _Tp>
__forceinline__ _Tp reduce(_Mask mask, _Tp value, const site& at) {
  static_assert(std::is_arithmetic_v<_Tp> && (sizeof(_Tp) == 4 || sizeof(_Tp) == 8),
                "a reduction is for integers of 32 and 64 bits, float and double");
  return from_word<_Tp>(
      collect(resolve_reduce<_Tp, _Combine>, checked_mask(mask), to_word(value), 0, at.typed(value_type_of<_Tp>())));
}

template <class _Combine, class _Mask, class _Tp>
__forceinline__ _Tp reduce_bits(_Mask mask, _Tp value, const site& at) {
  static_assert(std::is_integral_v<_Tp>, "and, or and xor are for integers");
  return reduce<_Combine>(mask, value, at);
}

}  // namespace hip
}  // namespace simt

template <class _Mask, class _Tp>
__device__ __forceinline__ _Tp __reduce_add_sync(_Mask mask, _Tp value,
                                                 simt::site at = simt::hip::here("__reduce_add_sync")) {
  return simt::hip::reduce<simt::hip::combine_add>(mask, value, at);
}

template <class _Mask, class _Tp>
__device__ __forceinline__ _Tp __reduce_min_sync(_Mask mask, _Tp value,
                                                 simt::site at = simt::hip::here("__reduce_min_sync")) {
  return simt::hip::reduce<simt::hip::combine_min>(mask, value, at);
}

template <class _Mask, class _Tp>
__device__ __forceinline__ _Tp __reduce_max_sync(_Mask mask, _Tp value,
                                                 simt::site at = simt::hip::here("__reduce_max_sync")) {
  return simt::hip::reduce<simt::hip::combine_max>(mask, value, at);
}

template <class _Mask, class _Tp>
__device__ __forceinline__ _Tp __reduce_and_sync(_Mask mask, _Tp value,
                                                 simt::site at = simt::hip::here("__reduce_and_sync")) {
  return simt::hip::reduce_bits<simt::hip::combine_and>(mask, value, at);
}

template <class _Mask, class _Tp>
__device__ __forceinline__ _Tp __reduce_or_sync(_Mask mask, _Tp value,
                                                simt::site at = simt::hip::here("__reduce_or_sync")) {
  return simt::hip::reduce_bits<simt::hip::combine_or>(mask, value, at);
}

template <class _Mask, class _Tp>
__device__ __forceinline__ _Tp __reduce_xor_sync(_Mask mask, _Tp value,
                                                 simt::site at = simt::hip::here("__reduce_xor_sync")) {
  return simt::hip::reduce_bits<simt::hip::combine_xor>(mask, value, at);
}

SIMT_BOTH_SIDES_END
