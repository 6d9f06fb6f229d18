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
#include "hip/detail/host_defines.h"

SIMT_BOTH_SIDES_BEGIN

namespace simt {

template <class _Tp, unsigned _Np>
struct components;

template <class _Tp>
struct components<_Tp, 1> {
  _Tp x;
};

template <class _Tp>
struct alignas(2 * sizeof(_Tp)) components<_Tp, 2> {
  _Tp x, y;
};

template <class _Tp>
struct components<_Tp, 3> {
  _Tp x, y, z;
};

template <class _Tp>
struct alignas(4 * sizeof(_Tp)) components<_Tp, 4> {
  _Tp x, y, z, w;
};

}  // namespace simt

template <class _Tp, unsigned _Np>
struct HIP_vector_type : simt::components<_Tp, _Np> {
  using value_type = _Tp;
  using simt::components<_Tp, _Np>::x;

  HIP_vector_type() = default;

  /// Every component is `value`.
  // A copy of a vector must not ask whether that converts to a component: libstdc++ answers by functions of the host's,
  // and the implicit copy constructor of a class may be declared within device code.
  template <class _Up, class = std::enable_if_t<std::conjunction_v<std::negation<std::is_same<_Up, HIP_vector_type>>,
                                                                   std::is_convertible<_Up, _Tp>>>>
  explicit constexpr HIP_vector_type(_Up value) : HIP_vector_type(fill, static_cast<_Tp>(value)) {}

  template <class... _Up,
            class = std::enable_if_t<std::conjunction_v<std::bool_constant<(_Np > 1) && sizeof...(_Up) == _Np>,
                                                        std::is_convertible<_Up, _Tp>...>>>
  constexpr HIP_vector_type(_Up... values) : simt::components<_Tp, _Np>{static_cast<_Tp>(values)...} {}

 private:
  struct fill_tag {};
  static constexpr fill_tag fill{};

  static constexpr simt::components<_Tp, _Np> filled(_Tp value) {
    if constexpr (_Np == 1) return {value};
    if constexpr (_Np == 2) return {value, value};
    if constexpr (_Np == 3) return {value, value, value};
    if constexpr (_Np == 4) return {value, value, value, value};
  }

  constexpr HIP_vector_type(fill_tag, _Tp value) : simt::components<_Tp, _Np>(filled(value)) {}
};

namespace simt {

/// Applies `change` to each component of `target` and the same component of `operand`.
template <class _Tp, unsigned _Np, class _Change>
constexpr HIP_vector_type<_Tp, _Np>& each_component(HIP_vector_type<_Tp, _Np>& target,
                                                    const HIP_vector_type<_Tp, _Np>& operand, _Change change) {
  change(target.x, operand.x);
  if constexpr (_Np > 1) change(target.y, operand.y);
  if constexpr (_Np > 2) change(target.z, operand.z);
  if constexpr (_Np > 3) change(target.w, operand.w);
  return target;
}

template <class _Tp, class _Up>
using if_scalar = std::enable_if_t<std::is_convertible_v<_Up, _Tp>>;

template <class _Tp>
using if_integer = std::enable_if_t<std::is_integral_v<_Tp>>;

}  // namespace simt

#define SIMT_VECTOR_OPERATOR(op, requirement)                                                                        \
  template <class _Tp, unsigned _Np requirement>                                                                     \
  constexpr HIP_vector_type<_Tp, _Np>& operator op##=(HIP_vector_type<_Tp, _Np>& a,                                  \
                                                      const HIP_vector_type<_Tp, _Np>& b) {                          \
    return simt::each_component(a, b, [](_Tp& x, _Tp y) { x = static_cast<_Tp>(x op y); });                          \
  }                                                                                                                  \
  template <class _Tp, unsigned _Np, class _Up, class = simt::if_scalar<_Tp, _Up> requirement>                       \
  constexpr HIP_vector_type<_Tp, _Np>& operator op##=(HIP_vector_type<_Tp, _Np>& a, _Up b) {                         \
    return a op## = HIP_vector_type<_Tp, _Np>(b);                                                                    \
  }                                                                                                                  \
  template <class _Tp, unsigned _Np requirement>                                                                     \
  constexpr HIP_vector_type<_Tp, _Np> operator op(HIP_vector_type<_Tp, _Np> a, const HIP_vector_type<_Tp, _Np>& b) { \
    return a op## = b;                                                                                               \
  }                                                                                                                  \
  template <class _Tp, unsigned _Np, class _Up, class = simt::if_scalar<_Tp, _Up> requirement>                       \
  constexpr HIP_vector_type<_Tp, _Np> operator op(HIP_vector_type<_Tp, _Np> a, _Up b) {                              \
    return a op## = HIP_vector_type<_Tp, _Np>(b);                                                                    \
  }                                                                                                                  \
  template <class _Tp, unsigned _Np, class _Up, class = simt::if_scalar<_Tp, _Up> requirement>                       \
  constexpr HIP_vector_type<_Tp, _Np> operator op(_Up a, const HIP_vector_type<_Tp, _Np>& b) {                       \
    return HIP_vector_type<_Tp, _Np>(a) op b;                                                                        \
  }
#define SIMT_FOR_ALL
#define SIMT_FOR_INTEGERS , class = simt::if_integer<_Tp>
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

template <class _Tp, unsigned _Np>
constexpr HIP_vector_type<_Tp, _Np> operator+(const HIP_vector_type<_Tp, _Np>& a) {
  return a;
}

template <class _Tp, unsigned _Np>
constexpr HIP_vector_type<_Tp, _Np> operator-(HIP_vector_type<_Tp, _Np> a) {
  return simt::each_component(a, a, [](_Tp& x, _Tp y) { x = static_cast<_Tp>(-y); });
}

template <class _Tp, unsigned _Np, class = simt::if_integer<_Tp>>
constexpr HIP_vector_type<_Tp, _Np> operator~(HIP_vector_type<_Tp, _Np> a) {
  return simt::each_component(a, a, [](_Tp& x, _Tp y) { x = static_cast<_Tp>(~y); });
}

template <class _Tp, unsigned _Np>
constexpr HIP_vector_type<_Tp, _Np>& operator++(HIP_vector_type<_Tp, _Np>& a) {
  return a += _Tp(1);
}

template <class _Tp, unsigned _Np>
constexpr HIP_vector_type<_Tp, _Np>& operator--(HIP_vector_type<_Tp, _Np>& a) {
  return a -= _Tp(1);
}

template <class _Tp, unsigned _Np>
constexpr HIP_vector_type<_Tp, _Np> operator++(HIP_vector_type<_Tp, _Np>& a, int) {
  const HIP_vector_type<_Tp, _Np> before = a;
  a += _Tp(1);
  return before;
}

template <class _Tp, unsigned _Np>
constexpr HIP_vector_type<_Tp, _Np> operator--(HIP_vector_type<_Tp, _Np>& a, int) {
  const HIP_vector_type<_Tp, _Np> before = a;
  a -= _Tp(1);
  return before;
}

template <class _Tp, unsigned _Np>
constexpr bool operator==(const HIP_vector_type<_Tp, _Np>& a, const HIP_vector_type<_Tp, _Np>& b) {
  bool equal = a.x == b.x;
  if constexpr (_Np > 1) equal = equal && a.y == b.y;
  if constexpr (_Np > 2) equal = equal && a.z == b.z;
  if constexpr (_Np > 3) equal = equal && a.w == b.w;
  return equal;
}

template <class _Tp, unsigned _Np, class _Up, class = simt::if_scalar<_Tp, _Up>>
constexpr bool operator==(const HIP_vector_type<_Tp, _Np>& a, _Up b) {
  return a == HIP_vector_type<_Tp, _Np>(b);
}

template <class _Tp, unsigned _Np, class _Up, class = simt::if_scalar<_Tp, _Up>>
constexpr bool operator==(_Up a, const HIP_vector_type<_Tp, _Np>& b) {
  return HIP_vector_type<_Tp, _Np>(a) == b;
}

template <class _Tp, unsigned _Np>
constexpr bool operator!=(const HIP_vector_type<_Tp, _Np>& a, const HIP_vector_type<_Tp, _Np>& b) {
  return !(a == b);
}

template <class _Tp, unsigned _Np, class _Up, class = simt::if_scalar<_Tp, _Up>>
constexpr bool operator!=(const HIP_vector_type<_Tp, _Np>& a, _Up b) {
  return !(a == b);
}

template <class _Tp, unsigned _Np, class _Up, class = simt::if_scalar<_Tp, _Up>>
constexpr bool operator!=(_Up a, const HIP_vector_type<_Tp, _Np>& b) {
  return !(a == b);
}

/// The types of a name, such as float1 to float4 (vectors.h has the names).
#define SIMT_VECTOR_TYPES(name, _Tp)       \
  typedef HIP_vector_type<_Tp, 1> name##1; \
  typedef HIP_vector_type<_Tp, 2> name##2; \
  typedef HIP_vector_type<_Tp, 3> name##3; \
  typedef HIP_vector_type<_Tp, 4> name##4;
typedef char simt_vector_char;

SIMT_BOTH_SIDES_END
