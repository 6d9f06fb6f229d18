// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HIP's vector types: char1 … double4, with make_ functions and operators that work component by component.
//
// Alignment is HIP's: that of the size rounded up to a power of two for 1, 2 and 4 components, that of one
// component for 3. A scalar beside a vector stands for a vector of it, converted to its component type.
// == is true where all components are equal.
#pragma once

#include <cstddef>
#include <type_traits>

#include "hip/detail/dim3.h"
#include "hip/hip_common.h"

namespace simt {

template <class T, unsigned N>
struct components;

template <class T>
struct components<T, 1> {
  T x;
};

template <class T>
struct alignas(2 * sizeof(T)) components<T, 2> {
  T x, y;
};

template <class T>
struct components<T, 3> {
  T x, y, z;
};

template <class T>
struct alignas(4 * sizeof(T)) components<T, 4> {
  T x, y, z, w;
};

}  // namespace simt

template <class T, unsigned N>
struct HIP_vector_type : simt::components<T, N> {
  using value_type = T;
  using simt::components<T, N>::x;

  HIP_vector_type() = default;

  /// Every component is `value`.
  template <class U, class = std::enable_if_t<std::is_convertible_v<U, T>>>
  explicit constexpr HIP_vector_type(U value) : HIP_vector_type(fill, static_cast<T>(value)) {}

  template <class... U, class = std::enable_if_t<(N > 1) && sizeof...(U) == N && (std::is_convertible_v<U, T> && ...)>>
  constexpr HIP_vector_type(U... values) : simt::components<T, N>{static_cast<T>(values)...} {}

 private:
  struct fill_tag {};
  static constexpr fill_tag fill{};

  static constexpr simt::components<T, N> filled(T value) {
    if constexpr (N == 1) return {value};
    if constexpr (N == 2) return {value, value};
    if constexpr (N == 3) return {value, value, value};
    if constexpr (N == 4) return {value, value, value, value};
  }

  constexpr HIP_vector_type(fill_tag, T value) : simt::components<T, N>(filled(value)) {}
};

namespace simt {

/// Applies `change` to each component of `target` and the same component of `operand`.
template <class T, unsigned N, class Change>
constexpr HIP_vector_type<T, N>& each_component(HIP_vector_type<T, N>& target, const HIP_vector_type<T, N>& operand,
                                                Change change) {
  change(target.x, operand.x);
  if constexpr (N > 1) change(target.y, operand.y);
  if constexpr (N > 2) change(target.z, operand.z);
  if constexpr (N > 3) change(target.w, operand.w);
  return target;
}

template <class T, class U>
using if_scalar = std::enable_if_t<std::is_convertible_v<U, T>>;

template <class T>
using if_integer = std::enable_if_t<std::is_integral_v<T>>;

}  // namespace simt

#define SIMT_VECTOR_OPERATOR(op, requirement)                                                                 \
  template <class T, unsigned N requirement>                                                                  \
  constexpr HIP_vector_type<T, N>& operator op##=(HIP_vector_type<T, N>& a, const HIP_vector_type<T, N>& b) { \
    return simt::each_component(a, b, [](T& x, T y) { x = static_cast<T>(x op y); });                         \
  }                                                                                                           \
  template <class T, unsigned N, class U, class = simt::if_scalar<T, U> requirement>                          \
  constexpr HIP_vector_type<T, N>& operator op##=(HIP_vector_type<T, N>& a, U b) {                            \
    return a op## = HIP_vector_type<T, N>(b);                                                                 \
  }                                                                                                           \
  template <class T, unsigned N requirement>                                                                  \
  constexpr HIP_vector_type<T, N> operator op(HIP_vector_type<T, N> a, const HIP_vector_type<T, N>& b) {      \
    return a op## = b;                                                                                        \
  }                                                                                                           \
  template <class T, unsigned N, class U, class = simt::if_scalar<T, U> requirement>                          \
  constexpr HIP_vector_type<T, N> operator op(HIP_vector_type<T, N> a, U b) {                                 \
    return a op## = HIP_vector_type<T, N>(b);                                                                 \
  }                                                                                                           \
  template <class T, unsigned N, class U, class = simt::if_scalar<T, U> requirement>                          \
  constexpr HIP_vector_type<T, N> operator op(U a, const HIP_vector_type<T, N>& b) {                          \
    return HIP_vector_type<T, N>(a) op b;                                                                     \
  }
#define SIMT_FOR_ALL
#define SIMT_FOR_INTEGERS , class = simt::if_integer<T>
SIMT_VECTOR_OPERATOR(+, SIMT_FOR_ALL)
SIMT_VECTOR_OPERATOR(-, SIMT_FOR_ALL)
SIMT_VECTOR_OPERATOR(*, SIMT_FOR_ALL)
SIMT_VECTOR_OPERATOR(/, SIMT_FOR_ALL)
SIMT_VECTOR_OPERATOR(%, SIMT_FOR_INTEGERS)
SIMT_VECTOR_OPERATOR(&, SIMT_FOR_INTEGERS)
SIMT_VECTOR_OPERATOR(|, SIMT_FOR_INTEGERS)
SIMT_VECTOR_OPERATOR(^, SIMT_FOR_INTEGERS)
SIMT_VECTOR_OPERATOR(<<, SIMT_FOR_INTEGERS)
SIMT_VECTOR_OPERATOR(>>, SIMT_FOR_INTEGERS)
#undef SIMT_FOR_INTEGERS
#undef SIMT_FOR_ALL
#undef SIMT_VECTOR_OPERATOR

template <class T, unsigned N>
constexpr HIP_vector_type<T, N> operator+(const HIP_vector_type<T, N>& a) {
  return a;
}

template <class T, unsigned N>
constexpr HIP_vector_type<T, N> operator-(HIP_vector_type<T, N> a) {
  return simt::each_component(a, a, [](T& x, T y) { x = static_cast<T>(-y); });
}

template <class T, unsigned N, class = simt::if_integer<T>>
constexpr HIP_vector_type<T, N> operator~(HIP_vector_type<T, N> a) {
  return simt::each_component(a, a, [](T& x, T y) { x = static_cast<T>(~y); });
}

template <class T, unsigned N>
constexpr HIP_vector_type<T, N>& operator++(HIP_vector_type<T, N>& a) {
  return a += T(1);
}

template <class T, unsigned N>
constexpr HIP_vector_type<T, N>& operator--(HIP_vector_type<T, N>& a) {
  return a -= T(1);
}

template <class T, unsigned N>
constexpr HIP_vector_type<T, N> operator++(HIP_vector_type<T, N>& a, int) {
  const HIP_vector_type<T, N> before = a;
  a += T(1);
  return before;
}

template <class T, unsigned N>
constexpr HIP_vector_type<T, N> operator--(HIP_vector_type<T, N>& a, int) {
  const HIP_vector_type<T, N> before = a;
  a -= T(1);
  return before;
}

template <class T, unsigned N>
constexpr bool operator==(const HIP_vector_type<T, N>& a, const HIP_vector_type<T, N>& b) {
  bool equal = a.x == b.x;
  if constexpr (N > 1) equal = equal && a.y == b.y;
  if constexpr (N > 2) equal = equal && a.z == b.z;
  if constexpr (N > 3) equal = equal && a.w == b.w;
  return equal;
}

template <class T, unsigned N, class U, class = simt::if_scalar<T, U>>
constexpr bool operator==(const HIP_vector_type<T, N>& a, U b) {
  return a == HIP_vector_type<T, N>(b);
}

template <class T, unsigned N, class U, class = simt::if_scalar<T, U>>
constexpr bool operator==(U a, const HIP_vector_type<T, N>& b) {
  return HIP_vector_type<T, N>(a) == b;
}

template <class T, unsigned N>
constexpr bool operator!=(const HIP_vector_type<T, N>& a, const HIP_vector_type<T, N>& b) {
  return !(a == b);
}

template <class T, unsigned N, class U, class = simt::if_scalar<T, U>>
constexpr bool operator!=(const HIP_vector_type<T, N>& a, U b) {
  return !(a == b);
}

template <class T, unsigned N, class U, class = simt::if_scalar<T, U>>
constexpr bool operator!=(U a, const HIP_vector_type<T, N>& b) {
  return !(a == b);
}

#define SIMT_VECTOR_TYPES(name, T)                                             \
  typedef HIP_vector_type<T, 1> name##1;                                       \
  typedef HIP_vector_type<T, 2> name##2;                                       \
  typedef HIP_vector_type<T, 3> name##3;                                       \
  typedef HIP_vector_type<T, 4> name##4;                                       \
  constexpr name##1 make_##name##1(T x) { return name##1(x); }                 \
  constexpr name##2 make_##name##2(T x, T y) { return name##2(x, y); }         \
  constexpr name##3 make_##name##3(T x, T y, T z) { return name##3(x, y, z); } \
  constexpr name##4 make_##name##4(T x, T y, T z, T w) { return name##4(x, y, z, w); }

SIMT_VECTOR_TYPES(char, char)
SIMT_VECTOR_TYPES(uchar, unsigned char)
SIMT_VECTOR_TYPES(short, short)
SIMT_VECTOR_TYPES(ushort, unsigned short)
SIMT_VECTOR_TYPES(int, int)
SIMT_VECTOR_TYPES(uint, unsigned int)
SIMT_VECTOR_TYPES(long, long)
SIMT_VECTOR_TYPES(ulong, unsigned long)
SIMT_VECTOR_TYPES(longlong, long long)
SIMT_VECTOR_TYPES(ulonglong, unsigned long long)
SIMT_VECTOR_TYPES(float, float)
SIMT_VECTOR_TYPES(double, double)
#undef SIMT_VECTOR_TYPES

constexpr dim3::dim3(const HIP_vector_type<unsigned, 3>& extent) : x(extent.x), y(extent.y), z(extent.z) {}

constexpr dim3::operator HIP_vector_type<unsigned, 3>() const { return HIP_vector_type<unsigned, 3>(x, y, z); }
