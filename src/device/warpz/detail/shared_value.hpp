// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values in shared memory, where nothing is constructed.
#pragma once

#include <hip/hip_runtime.h>

#include "warpz/detail/platform.hpp"

namespace warpz {
namespace detail {

template <class _Tp>
struct shared_value {
  alignas(_Tp) unsigned char bytes[sizeof(_Tp)];

  __device__ __forceinline__ void set(const _Tp& v) { __builtin_memcpy(bytes, &v, sizeof(_Tp)); }

  __device__ __forceinline__ _Tp get(_Tp v) const {
    __builtin_memcpy(&v, bytes, sizeof(_Tp));
    return v;
  }
};

/// So many of them, one after the other, which are read and written as the vectors that they are.
template <unsigned count, class _Tp>
struct alignas(count * sizeof(_Tp) < 16 ? count * sizeof(_Tp) : 16) shared_values {
  shared_value<_Tp> of[count];

  __device__ __forceinline__ void read(_Tp (&values)[count]) const {
    const vectors copy = *reinterpret_cast<const vectors*>(this);
    __builtin_memcpy(values, &copy, sizeof values);
  }

  __device__ __forceinline__ void write(const _Tp (&values)[count]) {
    vectors copy;
    __builtin_memcpy(&copy, values, sizeof values);
    *reinterpret_cast<vectors*>(this) = copy;
  }

 private:
  /// Compilers make vectors of words, not of bytes.
  struct alignas(count * sizeof(_Tp) < 16 ? count * sizeof(_Tp) : 16) vectors {
    unsigned word[count * sizeof(_Tp) / sizeof(unsigned)];
  };
};

}  // namespace detail
}  // namespace warpz
