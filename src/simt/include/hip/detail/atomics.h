// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// atomicAdd and the like, also with _system, safe and unsafe in their names; scoped_atomics.h has __hip_atomic_*.
//
// Each returns the previous value. As in HIP they are relaxed: they order no other accesses, which fences do.
// Each is a scheduling point: it lets other lanes and warps run first, so a loop that spins on one ends, and so
// does one whose partner is in another block. A loop that spins on a plain or volatile load alone has no such point
// and does not let others run; read with atomicAdd(address, 0) or __hip_atomic_load there.
//
// The types are those HIP has; a variable lies in global or shared memory. The last parameter, `at`, is never given.
#pragma once

#include <type_traits>

#include "hip/detail/host_defines.h"
#include "hip/detail/site.h"
#include "simt/noted_access.hpp"

namespace simt {
namespace hip {

template <class T, class... Choice>
inline constexpr bool one_of = (std::is_same_v<T, Choice> || ...);

template <class T>
inline constexpr bool is_float = one_of<T, float, double>;
template <class T>
inline constexpr bool is_word = one_of<T, int, unsigned, unsigned long, unsigned long long>;
template <class T>
inline constexpr bool is_number = is_word<T> || is_float<T>;
template <class T>
inline constexpr bool is_ordered = is_number<T> || one_of<T, long long>;

/// The variable's type, which is not deduced from the operand: an int literal may be added to an unsigned.
template <class T>
using operand = typename std::common_type<T>::type;

template <bool allowed, class T>
using if_allowed = std::enable_if_t<allowed, T>;

// The last, unnamed parameter of each is the scope of the functions that have one.

template <class T>
__forceinline__ T atomic_load(const site& at, const T* address, int order, int = 0) {
  yield(at);
  T value;
  __atomic_load(const_cast<T*>(address), &value, order);
  note_access(address, access_effect::looked);
  return value;
}

template <class T>
__forceinline__ void atomic_store(const site& at, T* address, operand<T> value, int order, int = 0) {
  yield(at);
  note_store<T>(address, value);
  __atomic_store(address, &value, order);
}

template <class T>
__forceinline__ T atomic_exchange(const site& at, T* address, operand<T> value, int order, int = 0) {
  yield(at);
  T before;
  __atomic_exchange(address, &value, &before, order);
  note_change<T>(address, before, value);
  return before;
}

/// Compares the bits. `expected` receives the previous value.
template <class T>
__forceinline__ bool atomic_compare_exchange(const site& at, T* address, T* expected, operand<T> desired, int success,
                                             int failure, int = 0) {
  yield(at);
  const T compared = *expected;
  const bool done = __atomic_compare_exchange(address, expected, &desired, false, success, failure);
  note_change<T>(address, compared, done ? desired : compared);
  return done;
}

/// Replaces the value by function(value) where wanted(value) holds.
template <class T, class Function, class Wanted>
__forceinline__ T atomic_change(const site& at, T* address, int order, Function function, Wanted wanted,
                                T operand = T()) {
  yield(at);
  T before;
  __atomic_load(address, &before, __ATOMIC_RELAXED);
  T after = before;
  while (wanted(before)) {
    after = function(before);
    if (__atomic_compare_exchange(address, &before, &after, true, order, __ATOMIC_RELAXED)) break;
    after = before;
  }
  note_combination(address, before, after, operand);
  return before;
}

template <class T>
__forceinline__ T atomic_add(const site& at, T* address, operand<T> value, int order, int = 0) {
  if constexpr (std::is_integral_v<T>) {
    yield(at);
    note_access(address, value != 0 ? access_effect::changed : access_effect::looked);
    return __atomic_fetch_add(address, value, order);
  } else {
    return atomic_change(
        at, address, order, [value](T before) { return before + value; }, [](T) { return true; });
  }
}

/// Subtracting is adding the negative; an integer's wraps.
template <class T>
__forceinline__ T atomic_sub(const site& at, T* address, operand<T> value, int order, int = 0) {
  if constexpr (std::is_integral_v<T>) {
    yield(at);
    note_access(address, value != 0 ? access_effect::changed : access_effect::looked);
    return __atomic_fetch_sub(address, value, order);
  } else {
    return atomic_add(at, address, -value, order);
  }
}

/// -0 is less than 0. A NaN stays, and does not replace a number.
template <class T>
__forceinline__ bool less(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    return a < b || (a == b && __builtin_signbit(a) != 0 && __builtin_signbit(b) == 0);
  } else {
    return a < b;
  }
}

template <class T>
__forceinline__ T atomic_min(const site& at, T* address, operand<T> value, int order, int = 0) {
  return atomic_change(
      at, address, order, [value](T) { return value; }, [value](T before) { return less(value, before); }, T(value));
}

template <class T>
__forceinline__ T atomic_max(const site& at, T* address, operand<T> value, int order, int = 0) {
  return atomic_change(
      at, address, order, [value](T) { return value; }, [value](T before) { return less(before, value); }, T(value));
}

template <class T>
__forceinline__ T atomic_and(const site& at, T* address, operand<T> value, int order, int = 0) {
  yield(at);
  const T before = __atomic_fetch_and(address, value, order);
  note_combination<T>(address, before, before & value, value);
  return before;
}

template <class T>
__forceinline__ T atomic_or(const site& at, T* address, operand<T> value, int order, int = 0) {
  yield(at);
  const T before = __atomic_fetch_or(address, value, order);
  note_combination<T>(address, before, before | value, value);
  return before;
}

template <class T>
__forceinline__ T atomic_xor(const site& at, T* address, operand<T> value, int order, int = 0) {
  yield(at);
  note_access(address, value != 0 ? access_effect::changed : access_effect::looked);
  return __atomic_fetch_xor(address, value, order);
}

/// For address, expected value and new value, as atomicCAS has them.
template <class T>
__forceinline__ T atomic_cas(const site& at, T* address, operand<T> compare, operand<T> value) {
  atomic_compare_exchange(at, address, &compare, value, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return compare;
}

}  // namespace hip
}  // namespace simt

// name(address, value): where `allowed` holds of the type T, `result`.
#define SIMT_ATOMIC(name, allowed, result)                                               \
  template <class T>                                                                     \
  __device__ __forceinline__ simt::hip::if_allowed<simt::hip::allowed<T>, T> name(       \
      T* address, simt::hip::operand<T> value, simt::site at = simt::hip::here(#name)) { \
    return simt::hip::result;                                                            \
  }
#define SIMT_ATOMIC_AND_SYSTEM(name, allowed, result) \
  SIMT_ATOMIC(name, allowed, result)                  \
  SIMT_ATOMIC(name##_system, allowed, result)

SIMT_ATOMIC_AND_SYSTEM(atomicAdd, is_number, atomic_add(at, address, value, __ATOMIC_RELAXED))
SIMT_ATOMIC_AND_SYSTEM(atomicSub, is_number, atomic_sub(at, address, value, __ATOMIC_RELAXED))
SIMT_ATOMIC_AND_SYSTEM(atomicExch, is_number, atomic_exchange(at, address, value, __ATOMIC_RELAXED))
SIMT_ATOMIC_AND_SYSTEM(atomicMin, is_ordered, atomic_min(at, address, value, __ATOMIC_RELAXED))
SIMT_ATOMIC_AND_SYSTEM(atomicMax, is_ordered, atomic_max(at, address, value, __ATOMIC_RELAXED))
SIMT_ATOMIC_AND_SYSTEM(atomicAnd, is_word, atomic_and(at, address, value, __ATOMIC_RELAXED))
SIMT_ATOMIC_AND_SYSTEM(atomicOr, is_word, atomic_or(at, address, value, __ATOMIC_RELAXED))
SIMT_ATOMIC_AND_SYSTEM(atomicXor, is_word, atomic_xor(at, address, value, __ATOMIC_RELAXED))

// On a GPU the unsafe ones may lose an update of memory outside of the device; here they do not.
SIMT_ATOMIC(unsafeAtomicAdd, is_float, atomic_add(at, address, value, __ATOMIC_RELAXED))
SIMT_ATOMIC(unsafeAtomicMin, is_float, atomic_min(at, address, value, __ATOMIC_RELAXED))
SIMT_ATOMIC(unsafeAtomicMax, is_float, atomic_max(at, address, value, __ATOMIC_RELAXED))
SIMT_ATOMIC(safeAtomicAdd, is_float, atomic_add(at, address, value, __ATOMIC_RELAXED))
SIMT_ATOMIC(safeAtomicMin, is_float, atomic_min(at, address, value, __ATOMIC_RELAXED))
SIMT_ATOMIC(safeAtomicMax, is_float, atomic_max(at, address, value, __ATOMIC_RELAXED))
#undef SIMT_ATOMIC_AND_SYSTEM
#undef SIMT_ATOMIC

/// Stores `value` if the variable equals `compare`; compares floats by their bits.
template <class T>
__device__ __forceinline__ simt::hip::if_allowed<simt::hip::is_number<T>, T> atomicCAS(
    T* address, simt::hip::operand<T> compare, simt::hip::operand<T> value,
    simt::site at = simt::hip::here("atomicCAS")) {
  return simt::hip::atomic_cas(at, address, compare, value);
}
template <class T>
__device__ __forceinline__ simt::hip::if_allowed<simt::hip::is_number<T>, T> atomicCAS_system(
    T* address, simt::hip::operand<T> compare, simt::hip::operand<T> value,
    simt::site at = simt::hip::here("atomicCAS_system")) {
  return simt::hip::atomic_cas(at, address, compare, value);
}

/// Counts up to `limit` and then starts again at 0.
__device__ __forceinline__ unsigned atomicInc(unsigned* address, unsigned limit,
                                              simt::site at = simt::hip::here("atomicInc")) {
  return simt::hip::atomic_change(
      at, address, __ATOMIC_RELAXED, [limit](unsigned before) { return before >= limit ? 0 : before + 1; },
      [](unsigned) { return true; });
}

/// Counts down to 0 and then starts again at `limit`.
__device__ __forceinline__ unsigned atomicDec(unsigned* address, unsigned limit,
                                              simt::site at = simt::hip::here("atomicDec")) {
  return simt::hip::atomic_change(
      at, address, __ATOMIC_RELAXED,
      [limit](unsigned before) { return before == 0 || before > limit ? limit : before - 1; },
      [](unsigned) { return true; });
}
