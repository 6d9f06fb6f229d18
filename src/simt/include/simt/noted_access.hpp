// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// By these functions atomics report to the machine which values they find and leave.
#pragma once

#include "simt/lane.hpp"

SIMT_BOTH_SIDES_BEGIN

namespace simt {

template <class _Tp>
inline bool is_same_bits(const _Tp& a, const _Tp& b) {
  return __builtin_memcmp(&a, &b, sizeof(_Tp)) == 0;
}

/// An atomic has found one value and left another, or the same.
template <class _Tp>
inline void note_change(const volatile _Tp* address, const _Tp& before, const _Tp& after) {
  note_access(address, is_same_bits(before, after) ? access_effect::looked : access_effect::changed);
}

/// An atomic has combined the value with an operand, as a maximum does. With 0 or all bits it may be a mere look.
template <class _Tp>
inline void note_combination(const volatile _Tp* address, const _Tp& before, const _Tp& after, const _Tp& operand) {
  _Tp all_bits;
  __builtin_memset(&all_bits, -1, sizeof all_bits);
  const bool may_be_look = is_same_bits(operand, _Tp()) || is_same_bits(operand, all_bits);
  if (may_be_look || !is_same_bits(before, after)) {
    note_change(address, before, after);
  } else {
    note_access(address, access_effect::combined);
  }
}

/// To be called before an atomic store. Instrumented code reports its stores itself (simt/check/callbacks.cpp).
template <class _Tp>
inline void note_store(const volatile _Tp* address, const _Tp& value) {
#ifdef SIMT_INSTRUMENTED
  static_cast<void>(address);
  static_cast<void>(value);
#else
  _Tp before;
  __atomic_load(const_cast<_Tp*>(address), &before, __ATOMIC_RELAXED);
  note_change(address, before, value);
#endif
}

}  // namespace simt

SIMT_BOTH_SIDES_END
