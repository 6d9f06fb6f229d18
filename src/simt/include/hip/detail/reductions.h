// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// __reduce_add_sync and the like: combine the values of all lanes that a mask names, in each of these lanes.
//
// The mask has 64 bits; who must take part is as in votes.h. Sums, minima and maxima are of int, unsigned, long
// long, unsigned long long, float and double; the bit operations of the integers among them. Integers wrap. Floats
// are added neighbours first; a minimum or maximum ignores a NaN if there is a number.
#pragma once

#include "hip/detail/lane_values.h"

namespace simt {
namespace hip {

struct combine_add {
  template <class T>
  T operator()(T a, T b) const {
    if constexpr (std::is_integral_v<T>) {
      using word = std::make_unsigned_t<T>;
      return static_cast<T>(static_cast<word>(a) + static_cast<word>(b));
    } else {
      return a + b;
    }
  }
};

struct combine_min {
  template <class T>
  T operator()(T a, T b) const {
    return b < a || a != a ? b : a;
  }
};

struct combine_max {
  template <class T>
  T operator()(T a, T b) const {
    return b > a || a != a ? b : a;
  }
};

struct combine_and {
  template <class T>
  T operator()(T a, T b) const {
    return a & b;
  }
};

struct combine_or {
  template <class T>
  T operator()(T a, T b) const {
    return a | b;
  }
};

struct combine_xor {
  template <class T>
  T operator()(T a, T b) const {
    return a ^ b;
  }
};

template <class Combine, class Mask, class T>
__forceinline__ T reduce(Mask mask, T value, const site& at) {
  static_assert(std::is_arithmetic_v<T> && (sizeof(T) == 4 || sizeof(T) == 8),
                "a reduction is for integers of 32 and 64 bits, float and double");
  return from_word<T>(
      collect(resolve_reduce<T, Combine>, checked_mask(mask), to_word(value), 0, at.typed(value_type_of<T>())));
}

template <class Combine, class Mask, class T>
__forceinline__ T reduce_bits(Mask mask, T value, const site& at) {
  static_assert(std::is_integral_v<T>, "and, or and xor are for integers");
  return reduce<Combine>(mask, value, at);
}

}  // namespace hip
}  // namespace simt

template <class Mask, class T>
__device__ __forceinline__ T __reduce_add_sync(Mask mask, T value,
                                               simt::site at = simt::hip::here("__reduce_add_sync")) {
  return simt::hip::reduce<simt::hip::combine_add>(mask, value, at);
}

template <class Mask, class T>
__device__ __forceinline__ T __reduce_min_sync(Mask mask, T value,
                                               simt::site at = simt::hip::here("__reduce_min_sync")) {
  return simt::hip::reduce<simt::hip::combine_min>(mask, value, at);
}

template <class Mask, class T>
__device__ __forceinline__ T __reduce_max_sync(Mask mask, T value,
                                               simt::site at = simt::hip::here("__reduce_max_sync")) {
  return simt::hip::reduce<simt::hip::combine_max>(mask, value, at);
}

template <class Mask, class T>
__device__ __forceinline__ T __reduce_and_sync(Mask mask, T value,
                                               simt::site at = simt::hip::here("__reduce_and_sync")) {
  return simt::hip::reduce_bits<simt::hip::combine_and>(mask, value, at);
}

template <class Mask, class T>
__device__ __forceinline__ T __reduce_or_sync(Mask mask, T value, simt::site at = simt::hip::here("__reduce_or_sync")) {
  return simt::hip::reduce_bits<simt::hip::combine_or>(mask, value, at);
}

template <class Mask, class T>
__device__ __forceinline__ T __reduce_xor_sync(Mask mask, T value,
                                               simt::site at = simt::hip::here("__reduce_xor_sync")) {
  return simt::hip::reduce_bits<simt::hip::combine_xor>(mask, value, at);
}
