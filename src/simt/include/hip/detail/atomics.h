// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// atomicAdd and the like, also with _system, in CUDA _block, safe and unsafe in their names; scoped_atomics.h has
// __hip_atomic_*.
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
#include "simt/instrumented.hpp"
#include "simt/noted_access.hpp"

SIMT_BOTH_SIDES_BEGIN

namespace simt {
namespace hip {

template <class _Tp, class... _Choice>
inline constexpr bool one_of = (std::is_same_v<_Tp, _Choice> || ...);

template <class _Tp>
inline constexpr bool is_float = one_of<_Tp, float, double>;
template <class _Tp>
inline constexpr bool is_word = one_of<_Tp, int, unsigned, unsigned long, unsigned long long>;
template <class _Tp>
inline constexpr bool is_number = is_word<_Tp> || is_float<_Tp>;
template <class _Tp>
inline constexpr bool is_ordered = is_number<_Tp> || one_of<_Tp, long long>;

template <class _Tp>
#ifdef __WARPZ_CUDA__
inline constexpr bool is_comparable = is_number<_Tp> || one_of<_Tp, unsigned short>;
#else
inline constexpr bool is_comparable = is_number<_Tp>;
#endif

/// The variable's type, which is not deduced from the operand: an int literal may be added to an unsigned.
template <class _Tp>
using operand = typename std::common_type<_Tp>::type;

template <bool allowed, class _Tp>
using if_allowed = std::enable_if_t<allowed, _Tp>;

// The last, unnamed parameter of each is the scope of the functions that have one.

template <class _Tp>
__forceinline__ _Tp atomic_load(const site& at, const volatile _Tp* address, int order, int = 0) {
  yield(at);
  _Tp value;
  __atomic_load(const_cast<_Tp*>(address), &value, order);
  note_access(address, access_effect::looked);
  return value;
}

template <class _Tp>
__forceinline__ void atomic_store(const site& at, volatile _Tp* address, operand<_Tp> value, int order, int = 0) {
  yield(at);
  note_store<_Tp>(address, value);
  __atomic_store(address, &value, order);
}

template <class _Tp>
__forceinline__ _Tp atomic_exchange(const site& at, volatile _Tp* address, operand<_Tp> value, int order, int = 0) {
  yield(at);
  _Tp before;
  __atomic_exchange(address, &value, &before, order);
  note_change<_Tp>(address, before, value);
  return before;
}

/// Compares the bits. `expected` receives the previous value.
template <class _Tp>
__forceinline__ bool atomic_compare_exchange(const site& at, volatile _Tp* address, _Tp* expected, operand<_Tp> desired,
                                             int success, int failure, int = 0) {
  yield(at);
  const _Tp compared = *expected;
  const bool done = __atomic_compare_exchange(address, expected, &desired, false, success, failure);
  note_change<_Tp>(address, compared, done ? desired : compared);
  return done;
}

/// Replaces the value by function(value) where wanted(value) holds.
template <class _Tp, class _Function, class _Wanted>
__forceinline__ _Tp atomic_change(const site& at, _Tp* address, int order, _Function function, _Wanted wanted,
                                  _Tp operand = _Tp()) {
  yield(at);
#ifdef SIMT_INSTRUMENTED
  use_value(address, sizeof(_Tp));
#endif
  _Tp before;
  __atomic_load(address, &before, __ATOMIC_RELAXED);
  _Tp after = before;
  while (wanted(before)) {
    after = function(before);
    if (__atomic_compare_exchange(address, &before, &after, true, order, __ATOMIC_RELAXED)) break;
    after = before;
  }
  note_combination(address, before, after, operand);
  return before;
}

template <class _Tp>
__forceinline__ _Tp atomic_add(const site& at, _Tp* address, operand<_Tp> value, int order, int = 0) {
  if constexpr (std::is_integral_v<_Tp>) {
    yield(at);
    note_access(address, value != 0 ? access_effect::changed : access_effect::looked);
    return __atomic_fetch_add(address, value, order);
  } else {
    return atomic_change(
        at, address, order, [value](_Tp before) { return before + value; }, [](_Tp) { return true; });
  }
}

/// Subtracting is adding the negative; an integer's wraps.
template <class _Tp>
__forceinline__ _Tp atomic_sub(const site& at, _Tp* address, operand<_Tp> value, int order, int = 0) {
  if constexpr (std::is_integral_v<_Tp>) {
    yield(at);
    note_access(address, value != 0 ? access_effect::changed : access_effect::looked);
    return __atomic_fetch_sub(address, value, order);
  } else {
    return atomic_add(at, address, -value, order);
  }
}

/// -0 is less than 0. A NaN stays, and does not replace a number.
template <class _Tp>
__forceinline__ bool less(_Tp a, _Tp b) {
  if constexpr (std::is_floating_point_v<_Tp>) {
    return a < b || (a == b && __builtin_signbit(a) != 0 && __builtin_signbit(b) == 0);
  } else {
    return a < b;
  }
}

template <class _Tp>
__forceinline__ _Tp atomic_min(const site& at, _Tp* address, operand<_Tp> value, int order, int = 0) {
  return atomic_change(
      at, address, order, [value](_Tp) { return value; }, [value](_Tp before) { return less(value, before); },
      _Tp(value));
}

template <class _Tp>
__forceinline__ _Tp atomic_max(const site& at, _Tp* address, operand<_Tp> value, int order, int = 0) {
  return atomic_change(
      at, address, order, [value](_Tp) { return value; }, [value](_Tp before) { return less(before, value); },
      _Tp(value));
}

/// Counts up to `limit` and then starts again at 0.
template <class _Tp>
__forceinline__ _Tp atomic_inc(const site& at, _Tp* address, operand<_Tp> limit, int order) {
  return atomic_change(
      at, address, order, [limit](_Tp before) { return before >= limit ? 0 : before + 1; }, [](_Tp) { return true; });
}

/// Counts down to 0 and then starts again at `limit`.
template <class _Tp>
__forceinline__ _Tp atomic_dec(const site& at, _Tp* address, operand<_Tp> limit, int order) {
  return atomic_change(
      at, address, order, [limit](_Tp before) { return before == 0 || before > limit ? limit : before - 1; },
      [](_Tp) { return true; });
}

template <class _Tp>
__forceinline__ _Tp atomic_and(const site& at, _Tp* address, operand<_Tp> value, int order, int = 0) {
  yield(at);
  const _Tp before = __atomic_fetch_and(address, value, order);
  note_combination<_Tp>(address, before, before & value, value);
  return before;
}

template <class _Tp>
__forceinline__ _Tp atomic_or(const site& at, _Tp* address, operand<_Tp> value, int order, int = 0) {
  yield(at);
  const _Tp before = __atomic_fetch_or(address, value, order);
  note_combination<_Tp>(address, before, before | value, value);
  return before;
}

template <class _Tp>
__forceinline__ _Tp atomic_xor(const site& at, _Tp* address, operand<_Tp> value, int order, int = 0) {
  yield(at);
  note_access(address, value != 0 ? access_effect::changed : access_effect::looked);
  return __atomic_fetch_xor(address, value, order);
}

/// For address, expected value and new value, as atomicCAS has them.
template <class _Tp>
__forceinline__ _Tp atomic_cas(const site& at, _Tp* address, operand<_Tp> compare, operand<_Tp> value) {
  atomic_compare_exchange(at, address, &compare, value, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return compare;
}

}  // namespace hip
}  // namespace simt

// name(address, value): where `allowed` holds of the type _Tp, `result`.
#define SIMT_ATOMIC(name, allowed, result)                                                   \
  template <class _Tp>                                                                       \
  __device__ __forceinline__ simt::hip::if_allowed<simt::hip::allowed<_Tp>, _Tp> name(       \
      _Tp* address, simt::hip::operand<_Tp> value, simt::site at = simt::hip::here(#name)) { \
    return simt::hip::result;                                                                \
  }
#ifdef __WARPZ_CUDA__
#define SIMT_SCOPES(each, name, ...) \
  each(name, __VA_ARGS__) each(name##_system, __VA_ARGS__) each(name##_block, __VA_ARGS__)
#else
#define SIMT_SCOPES(each, name, ...) each(name, __VA_ARGS__) each(name##_system, __VA_ARGS__)
#endif

SIMT_SCOPES(SIMT_ATOMIC, atomicAdd, is_number, atomic_add(at, address, value, __ATOMIC_RELAXED))
SIMT_SCOPES(SIMT_ATOMIC, atomicSub, is_number, atomic_sub(at, address, value, __ATOMIC_RELAXED))
SIMT_SCOPES(SIMT_ATOMIC, atomicExch, is_number, atomic_exchange(at, address, value, __ATOMIC_RELAXED))
SIMT_SCOPES(SIMT_ATOMIC, atomicMin, is_ordered, atomic_min(at, address, value, __ATOMIC_RELAXED))
SIMT_SCOPES(SIMT_ATOMIC, atomicMax, is_ordered, atomic_max(at, address, value, __ATOMIC_RELAXED))
SIMT_SCOPES(SIMT_ATOMIC, atomicAnd, is_word, atomic_and(at, address, value, __ATOMIC_RELAXED))
SIMT_SCOPES(SIMT_ATOMIC, atomicOr, is_word, atomic_or(at, address, value, __ATOMIC_RELAXED))
SIMT_SCOPES(SIMT_ATOMIC, atomicXor, is_word, atomic_xor(at, address, value, __ATOMIC_RELAXED))

// On a GPU the unsafe ones may lose an update of memory outside of the device; here they do not.
SIMT_ATOMIC(unsafeAtomicAdd, is_number, atomic_add(at, address, value, __ATOMIC_RELAXED))
SIMT_ATOMIC(unsafeAtomicMin, is_float, atomic_min(at, address, value, __ATOMIC_RELAXED))
SIMT_ATOMIC(unsafeAtomicMax, is_float, atomic_max(at, address, value, __ATOMIC_RELAXED))
SIMT_ATOMIC(safeAtomicAdd, is_number, atomic_add(at, address, value, __ATOMIC_RELAXED))
SIMT_ATOMIC(safeAtomicMin, is_float, atomic_min(at, address, value, __ATOMIC_RELAXED))
SIMT_ATOMIC(safeAtomicMax, is_float, atomic_max(at, address, value, __ATOMIC_RELAXED))
#undef SIMT_ATOMIC

/// Stores `value` if the variable equals `compare`; compares floats by their bits.
#define SIMT_ATOMIC_CAS(name, allowed)                                                 \
  template <class _Tp>                                                                 \
  __device__ __forceinline__ simt::hip::if_allowed<simt::hip::allowed<_Tp>, _Tp> name( \
      _Tp* address, simt::hip::operand<_Tp> compare, simt::hip::operand<_Tp> value,    \
      simt::site at = simt::hip::here(#name)) {                                        \
    return simt::hip::atomic_cas(at, address, compare, value);                         \
  }
SIMT_SCOPES(SIMT_ATOMIC_CAS, atomicCAS, is_comparable)
#undef SIMT_ATOMIC_CAS

/// An atomicAdd whose result nobody wants.
__device__ __forceinline__ void atomicAddNoRet(float* address, float value,
                                               simt::site at = simt::hip::here("atomicAddNoRet")) {
  simt::hip::atomic_add(at, address, value, __ATOMIC_RELAXED);
}

#define SIMT_ATOMIC_COUNT(name, function)                                            \
  __device__ __forceinline__ unsigned name(unsigned* address, unsigned limit,        \
                                           simt::site at = simt::hip::here(#name)) { \
    return simt::hip::function(at, address, limit, __ATOMIC_RELAXED);                \
  }
SIMT_SCOPES(SIMT_ATOMIC_COUNT, atomicInc, atomic_inc)
SIMT_SCOPES(SIMT_ATOMIC_COUNT, atomicDec, atomic_dec)
#undef SIMT_ATOMIC_COUNT
#undef SIMT_SCOPES

SIMT_BOTH_SIDES_END
