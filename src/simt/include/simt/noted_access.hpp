// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What atomics tell the machine of the values that they find and leave.
#pragma once

#include <cstdint>

#include "simt/lane.hpp"

namespace simt {

/// The bits of a number.
template <class T>
inline std::uint64_t bits_of(const T& value) {
  static_assert(sizeof(T) <= sizeof(std::uint64_t));
  std::uint64_t bits = 0;
  __builtin_memcpy(&bits, &value, sizeof value);
  return bits;
}

/// An atomic that reads and writes has found one value and left another, or the same.
template <class T>
inline void note_change(const volatile T* address, const T& before, const T& after, std::uint64_t operand = 0) {
  note_access(address, operand, bits_of(before) != bits_of(after));
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
