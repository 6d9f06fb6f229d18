// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What cuda::atomic is made of: in device code the machine's atomics, which are scheduling points, and on the host
// plain ones.
#pragma once

#include "hip/detail/atomics.h"

namespace cuda {
namespace detail {

#ifdef __CUDA_ARCH__

namespace access = ::simt::hip;

#else

namespace access {

template <class _Tp>
_Tp atomic_load(const simt::site&, const _Tp* address, int order) {
  _Tp value;
  __atomic_load(const_cast<_Tp*>(address), &value, order);
  return value;
}

template <class _Tp>
void atomic_store(const simt::site&, _Tp* address, _Tp value, int order) {
  __atomic_store(address, &value, order);
}

template <class _Tp>
_Tp atomic_exchange(const simt::site&, _Tp* address, _Tp value, int order) {
  _Tp before;
  __atomic_exchange(address, &value, &before, order);
  return before;
}

template <class _Tp>
bool atomic_compare_exchange(const simt::site&, _Tp* address, _Tp* expected, _Tp desired, int success, int failure) {
  return __atomic_compare_exchange(address, expected, &desired, false, success, failure);
}

#define SIMT_HOST_ATOMIC(name, result)                                                                          \
  template <class _Tp>                                                                                          \
  _Tp atomic_##name(const simt::site& at, _Tp* address, _Tp value, int order) {                                 \
    _Tp before = atomic_load(at, address, __ATOMIC_RELAXED);                                                    \
    while (!atomic_compare_exchange(at, address, &before, static_cast<_Tp>(result), order, __ATOMIC_RELAXED)) { \
    }                                                                                                           \
    return before;                                                                                              \
  }
SIMT_HOST_ATOMIC(add, before + value)
SIMT_HOST_ATOMIC(sub, before - value)
SIMT_HOST_ATOMIC(and, before& value)
SIMT_HOST_ATOMIC(or, before | value)
SIMT_HOST_ATOMIC(xor, before ^ value)
SIMT_HOST_ATOMIC(min, value < before ? value : before)
SIMT_HOST_ATOMIC(max, before < value ? value : before)
#undef SIMT_HOST_ATOMIC

}  // namespace access

#endif

}  // namespace detail
}  // namespace cuda
