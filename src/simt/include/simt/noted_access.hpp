// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What atomics tell the machine of the values that they find and leave.
#pragma once

#include "simt/lane.hpp"

namespace simt {

template <class T>
inline bool is_same_bits(const T& a, const T& b) {
  return __builtin_memcmp(&a, &b, sizeof(T)) == 0;
}

/// An atomic has found one value and left another, or the same.
template <class T>
inline void note_change(const volatile T* address, const T& before, const T& after) {
  note_access(address, is_same_bits(before, after) ? access_effect::looked : access_effect::changed);
}

/// The same of one that combines the value with an operand, as a maximum does. With 0 or all bits it may be a mere
/// look.
template <class T>
inline void note_combination(const volatile T* address, const T& before, const T& after, const T& operand) {
  T all_bits;
  __builtin_memset(&all_bits, -1, sizeof all_bits);
  const bool may_be_look = is_same_bits(operand, T()) || is_same_bits(operand, all_bits);
  if (may_be_look || !is_same_bits(before, after)) {
    note_change(address, before, after);
  } else {
    note_access(address, access_effect::combined);
  }
}

/// To be called before an atomic store. Instrumented code tells of its stores itself (simt/check/callbacks.cpp).
template <class T>
inline void note_store(const T* address, const T& value) {
#ifdef SIMT_INSTRUMENTED
  static_cast<void>(address);
  static_cast<void>(value);
#else
  T before;
  __atomic_load(const_cast<T*>(address), &before, __ATOMIC_RELAXED);
  note_change(address, before, value);
#endif
}

}  // namespace simt
