// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A number of 16 bits, SIMT_NARROW, and a pair of them, SIMT_PAIR; SIMT_FORMAT says what the bits mean, and SIMT_NAME
// makes the names of its conversions. Included once for each such type.
//
// Every arithmetic type converts to it, rounded to nearest even, and it converts to float, exactly. The compare
// functions and operators treat a NaN as C++ does; those that end in u are true where an operand is a NaN.

SIMT_BOTH_SIDES_BEGIN

struct SIMT_NARROW {
  std::uint16_t bits;

  SIMT_NARROW() = default;

  template <class _Tp, class = std::enable_if_t<std::is_arithmetic_v<_Tp>>>
  constexpr SIMT_NARROW(_Tp value) : bits(SIMT_FORMAT::round(simt::as_double(value))) {}

  /// From another narrow type.
  template <class _Tp, class = decltype(_Tp::of_bits(0)), class = void>
  explicit constexpr SIMT_NARROW(_Tp value) : SIMT_NARROW(static_cast<float>(value)) {}

  constexpr operator float() const { return SIMT_FORMAT::widen(bits); }

  static constexpr SIMT_NARROW of_bits(unsigned bits) {
    SIMT_NARROW result{};
    result.bits = static_cast<std::uint16_t>(bits);
    return result;
  }

  /// As a double, in which the extra rounding of sums, products and quotients does no harm.
  constexpr double wide() const { return static_cast<double>(static_cast<float>(*this)); }

  friend constexpr SIMT_NARROW operator+(SIMT_NARROW a, SIMT_NARROW b) { return a.wide() + b.wide(); }
  friend constexpr SIMT_NARROW operator-(SIMT_NARROW a, SIMT_NARROW b) { return a.wide() - b.wide(); }
  friend constexpr SIMT_NARROW operator*(SIMT_NARROW a, SIMT_NARROW b) { return a.wide() * b.wide(); }
  friend constexpr SIMT_NARROW operator/(SIMT_NARROW a, SIMT_NARROW b) { return a.wide() / b.wide(); }
  friend constexpr SIMT_NARROW operator+(SIMT_NARROW a) { return a; }
  friend constexpr SIMT_NARROW operator-(SIMT_NARROW a) { return of_bits(a.bits ^ 0x8000U); }

  SIMT_NARROW& operator+=(SIMT_NARROW b) { return *this = *this + b; }
  SIMT_NARROW& operator-=(SIMT_NARROW b) { return *this = *this - b; }
  SIMT_NARROW& operator*=(SIMT_NARROW b) { return *this = *this * b; }
  SIMT_NARROW& operator/=(SIMT_NARROW b) { return *this = *this / b; }
  SIMT_NARROW& operator++() { return *this += SIMT_NARROW(1); }
  SIMT_NARROW& operator--() { return *this -= SIMT_NARROW(1); }
  SIMT_NARROW operator++(int) {
    const SIMT_NARROW before = *this;
    ++*this;
    return before;
  }
  SIMT_NARROW operator--(int) {
    const SIMT_NARROW before = *this;
    --*this;
    return before;
  }

  friend constexpr bool operator==(SIMT_NARROW a, SIMT_NARROW b) { return float(a) == float(b); }
  friend constexpr bool operator!=(SIMT_NARROW a, SIMT_NARROW b) { return float(a) != float(b); }
  friend constexpr bool operator<(SIMT_NARROW a, SIMT_NARROW b) { return float(a) < float(b); }
  friend constexpr bool operator<=(SIMT_NARROW a, SIMT_NARROW b) { return float(a) <= float(b); }
  friend constexpr bool operator>(SIMT_NARROW a, SIMT_NARROW b) { return float(a) > float(b); }
  friend constexpr bool operator>=(SIMT_NARROW a, SIMT_NARROW b) { return float(a) >= float(b); }
};

struct alignas(4) SIMT_PAIR {
  SIMT_NARROW x, y;

  SIMT_PAIR() = default;
  constexpr SIMT_PAIR(SIMT_NARROW low, SIMT_NARROW high) : x(low), y(high) {}

  friend constexpr SIMT_PAIR operator+(SIMT_PAIR a, SIMT_PAIR b) { return {a.x + b.x, a.y + b.y}; }
  friend constexpr SIMT_PAIR operator-(SIMT_PAIR a, SIMT_PAIR b) { return {a.x - b.x, a.y - b.y}; }
  friend constexpr SIMT_PAIR operator*(SIMT_PAIR a, SIMT_PAIR b) { return {a.x * b.x, a.y * b.y}; }
  friend constexpr SIMT_PAIR operator/(SIMT_PAIR a, SIMT_PAIR b) { return {a.x / b.x, a.y / b.y}; }
  friend constexpr SIMT_PAIR operator+(SIMT_PAIR a) { return a; }
  friend constexpr SIMT_PAIR operator-(SIMT_PAIR a) { return {-a.x, -a.y}; }
  SIMT_PAIR& operator+=(SIMT_PAIR b) { return *this = *this + b; }
  SIMT_PAIR& operator-=(SIMT_PAIR b) { return *this = *this - b; }
  SIMT_PAIR& operator*=(SIMT_PAIR b) { return *this = *this * b; }
  SIMT_PAIR& operator/=(SIMT_PAIR b) { return *this = *this / b; }

  // True if it holds for both components.
  friend constexpr bool operator==(SIMT_PAIR a, SIMT_PAIR b) { return a.x == b.x && a.y == b.y; }
  friend constexpr bool operator!=(SIMT_PAIR a, SIMT_PAIR b) { return a.x != b.x && a.y != b.y; }
  friend constexpr bool operator<(SIMT_PAIR a, SIMT_PAIR b) { return a.x < b.x && a.y < b.y; }
  friend constexpr bool operator<=(SIMT_PAIR a, SIMT_PAIR b) { return a.x <= b.x && a.y <= b.y; }
  friend constexpr bool operator>(SIMT_PAIR a, SIMT_PAIR b) { return a.x > b.x && a.y > b.y; }
  friend constexpr bool operator>=(SIMT_PAIR a, SIMT_PAIR b) { return a.x >= b.x && a.y >= b.y; }
};

// Arithmetic.

inline SIMT_NARROW __hadd(SIMT_NARROW a, SIMT_NARROW b) { return a + b; }
inline SIMT_NARROW __hsub(SIMT_NARROW a, SIMT_NARROW b) { return a - b; }
inline SIMT_NARROW __hmul(SIMT_NARROW a, SIMT_NARROW b) { return a * b; }
inline SIMT_NARROW __hdiv(SIMT_NARROW a, SIMT_NARROW b) { return a / b; }
inline SIMT_NARROW __hneg(SIMT_NARROW a) { return -a; }
inline SIMT_NARROW __habs(SIMT_NARROW a) { return SIMT_NARROW::of_bits(a.bits & 0x7fffU); }
/// a * b + c, rounded once.
inline SIMT_NARROW __hfma(SIMT_NARROW a, SIMT_NARROW b, SIMT_NARROW c) {
  return SIMT_NARROW::of_bits(SIMT_FORMAT::multiply_add(a.wide(), b.wide(), c.wide()));
}

inline SIMT_PAIR __hadd2(SIMT_PAIR a, SIMT_PAIR b) { return a + b; }
inline SIMT_PAIR __hsub2(SIMT_PAIR a, SIMT_PAIR b) { return a - b; }
inline SIMT_PAIR __hmul2(SIMT_PAIR a, SIMT_PAIR b) { return a * b; }
inline SIMT_PAIR __h2div(SIMT_PAIR a, SIMT_PAIR b) { return a / b; }
inline SIMT_PAIR __hneg2(SIMT_PAIR a) { return -a; }
inline SIMT_PAIR __habs2(SIMT_PAIR a) { return {__habs(a.x), __habs(a.y)}; }
inline SIMT_PAIR __hfma2(SIMT_PAIR a, SIMT_PAIR b, SIMT_PAIR c) {
  return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
}

// Comparison.

inline bool __hisnan(SIMT_NARROW a) { return SIMT_FORMAT::is_nan(a.bits); }
inline bool __hisinf(SIMT_NARROW a) { return SIMT_FORMAT::is_infinite(a.bits); }
inline SIMT_PAIR __hisnan2(SIMT_PAIR a) { return {__hisnan(a.x), __hisnan(a.y)}; }
inline SIMT_PAIR __hisinf2(SIMT_PAIR a) { return {__hisinf(a.x), __hisinf(a.y)}; }

/// For an operator: of numbers; of pairs, with 1 and 0 for true and false; of pairs, true where it holds for both.
#define SIMT_COMPARE(name, condition)                                                                            \
  inline bool __h##name(SIMT_NARROW a, SIMT_NARROW b) { return condition; }                                      \
  inline SIMT_PAIR __h##name##2(SIMT_PAIR a, SIMT_PAIR b) { return {__h##name(a.x, b.x), __h##name(a.y, b.y)}; } \
  inline bool __hb##name##2(SIMT_PAIR a, SIMT_PAIR b) { return __h##name(a.x, b.x) && __h##name(a.y, b.y); }
SIMT_COMPARE(eq, a == b)
SIMT_COMPARE(ne, a != b)
SIMT_COMPARE(lt, a < b)
SIMT_COMPARE(le, a <= b)
SIMT_COMPARE(gt, a > b)
SIMT_COMPARE(ge, a >= b)
SIMT_COMPARE(equ, !(a < b) && !(a > b))
SIMT_COMPARE(neu, !(a == b))
SIMT_COMPARE(ltu, !(a >= b))
SIMT_COMPARE(leu, !(a > b))
SIMT_COMPARE(gtu, !(a <= b))
SIMT_COMPARE(geu, !(a < b))
#undef SIMT_COMPARE

/// The other operand where one is a NaN; +0 is more than -0.
inline SIMT_NARROW __hmax(SIMT_NARROW a, SIMT_NARROW b) {
  if (__hisnan(a)) return b;
  if (__hisnan(b)) return a;
  return a > b || (a == b && b.bits >> 15 != 0) ? a : b;
}
inline SIMT_NARROW __hmin(SIMT_NARROW a, SIMT_NARROW b) {
  if (__hisnan(a)) return b;
  if (__hisnan(b)) return a;
  return a < b || (a == b && a.bits >> 15 != 0) ? a : b;
}
/// A NaN where one is.
inline SIMT_NARROW __hmax_nan(SIMT_NARROW a, SIMT_NARROW b) { return __hisnan(a) ? a : __hisnan(b) ? b : __hmax(a, b); }
inline SIMT_NARROW __hmin_nan(SIMT_NARROW a, SIMT_NARROW b) { return __hisnan(a) ? a : __hisnan(b) ? b : __hmin(a, b); }
inline SIMT_PAIR __hmax2(SIMT_PAIR a, SIMT_PAIR b) { return {__hmax(a.x, b.x), __hmax(a.y, b.y)}; }
inline SIMT_PAIR __hmin2(SIMT_PAIR a, SIMT_PAIR b) { return {__hmin(a.x, b.x), __hmin(a.y, b.y)}; }

// Functions, computed in double.

#define SIMT_FUNCTION(name, result)                \
  inline SIMT_NARROW h##name(SIMT_NARROW number) { \
    const double a = number.wide();                \
    return result;                                 \
  }                                                \
  inline SIMT_PAIR h2##name(SIMT_PAIR pair) { return {h##name(pair.x), h##name(pair.y)}; }
SIMT_FUNCTION(trunc, __builtin_trunc(a))
SIMT_FUNCTION(ceil, __builtin_ceil(a))
SIMT_FUNCTION(floor, __builtin_floor(a))
SIMT_FUNCTION(rint, __builtin_rint(a))
SIMT_FUNCTION(sqrt, __builtin_sqrt(a))
SIMT_FUNCTION(rsqrt, 1 / __builtin_sqrt(a))
SIMT_FUNCTION(rcp, 1 / a)
SIMT_FUNCTION(sin, __builtin_sin(a))
SIMT_FUNCTION(cos, __builtin_cos(a))
SIMT_FUNCTION(exp, __builtin_exp(a))
SIMT_FUNCTION(exp2, __builtin_exp2(a))
SIMT_FUNCTION(exp10, __builtin_pow(10.0, a))
SIMT_FUNCTION(log, __builtin_log(a))
SIMT_FUNCTION(log2, __builtin_log2(a))
SIMT_FUNCTION(log10, __builtin_log10(a))
#undef SIMT_FUNCTION

// From and to integers: at the type's ends where a number lies outside, 0 for a NaN.

#define SIMT_INTEGER(name, T)                                                                                  \
  inline T SIMT_NAME(, 2##name##_rn)(SIMT_NARROW a) { return simt::as_integer<T>(__builtin_rint(a.wide())); }  \
  inline T SIMT_NAME(, 2##name##_rz)(SIMT_NARROW a) { return simt::as_integer<T>(__builtin_trunc(a.wide())); } \
  inline T SIMT_NAME(, 2##name##_ru)(SIMT_NARROW a) { return simt::as_integer<T>(__builtin_ceil(a.wide())); }  \
  inline T SIMT_NAME(, 2##name##_rd)(SIMT_NARROW a) { return simt::as_integer<T>(__builtin_floor(a.wide())); } \
  inline SIMT_NARROW SIMT_NAME(name##2, _rn)(T a) { return a; }                                                \
  inline SIMT_NARROW SIMT_NAME(name##2, _rz)(T a) {                                                            \
    return SIMT_NARROW::of_bits(SIMT_FORMAT::round(simt::as_double(a), simt::rounding::zero));                 \
  }                                                                                                            \
  inline SIMT_NARROW SIMT_NAME(name##2, _ru)(T a) {                                                            \
    return SIMT_NARROW::of_bits(SIMT_FORMAT::round(simt::as_double(a), simt::rounding::up));                   \
  }                                                                                                            \
  inline SIMT_NARROW SIMT_NAME(name##2, _rd)(T a) {                                                            \
    return SIMT_NARROW::of_bits(SIMT_FORMAT::round(simt::as_double(a), simt::rounding::down));                 \
  }
SIMT_INTEGER(short, short)
SIMT_INTEGER(ushort, unsigned short)
SIMT_INTEGER(int, int)
SIMT_INTEGER(uint, unsigned)
SIMT_INTEGER(ll, long long)
SIMT_INTEGER(ull, unsigned long long)
#undef SIMT_INTEGER

// Pairs.

inline float __low2float(SIMT_PAIR a) { return a.x; }
inline float __high2float(SIMT_PAIR a) { return a.y; }
inline SIMT_PAIR __lowhigh2highlow(SIMT_PAIR a) { return {a.y, a.x}; }

// Atomic additions, as AMD's GPUs have them of pairs, and CUDA of both.

#define SIMT_ATOMIC_ADD(name, T)                                                                              \
  __device__ __forceinline__ T name(T* address, T value, simt::site at = simt::hip::here(#name)) {            \
    return simt::hip::atomic_change(                                                                          \
        at, address, __ATOMIC_RELAXED, [value](T before) { return before + value; }, [](T) { return true; }); \
  }
#ifdef __WARPZ_CUDA__
SIMT_ATOMIC_ADD(atomicAdd, SIMT_NARROW)
SIMT_ATOMIC_ADD(atomicAdd, SIMT_PAIR)
#else
SIMT_ATOMIC_ADD(unsafeAtomicAdd, SIMT_PAIR)
#endif
#undef SIMT_ATOMIC_ADD

// Both may be shuffled.

namespace simt {
namespace hip {

template <>
struct lane_value<SIMT_NARROW> {
  static constexpr bool allowed = true;
  using type = SIMT_NARROW;
};
template <>
struct lane_value<SIMT_PAIR> {
  static constexpr bool allowed = true;
  using type = SIMT_PAIR;
};

}  // namespace hip
}  // namespace simt

SIMT_BOTH_SIDES_END
