// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which element of an array holds a value of a C++ type.
#pragma once

#include <type_traits>

#include "hip/detail/array_types.h"
#include "hip/detail/vectors.h"

namespace simt {

/// The components of a number, or of a vector such as float4.
template <class _Tp, bool _is_number = std::is_arithmetic_v<_Tp>>
struct components_of {
  using type = _Tp;
  static constexpr int count = 1;
};
template <class _Tp>
struct components_of<_Tp, false> {
  using type = std::remove_reference_t<decltype(std::declval<_Tp&>().x)>;
  static constexpr int count = sizeof(_Tp) / sizeof(type);
};

}  // namespace simt

constexpr hipChannelFormatDesc hipCreateChannelDesc(int x, int y, int z, int w, hipChannelFormatKind kind) {
  return {x, y, z, w, kind};
}

template <class _Tp>
constexpr hipChannelFormatDesc hipCreateChannelDesc() {
  using component = typename simt::components_of<_Tp>::type;
  constexpr int count = simt::components_of<_Tp>::count;
  constexpr int bits = 8 * sizeof(component);
  constexpr hipChannelFormatKind kind = std::is_floating_point_v<component> ? hipChannelFormatKindFloat
                                        : std::is_signed_v<component>       ? hipChannelFormatKindSigned
                                                                            : hipChannelFormatKindUnsigned;
  return {bits, count > 1 ? bits : 0, count > 2 ? bits : 0, count > 3 ? bits : 0, kind};
}

constexpr hipChannelFormatDesc hipCreateChannelDescHalf() { return {16, 0, 0, 0, hipChannelFormatKindFloat}; }
constexpr hipChannelFormatDesc hipCreateChannelDescHalf1() { return {16, 0, 0, 0, hipChannelFormatKindFloat}; }
constexpr hipChannelFormatDesc hipCreateChannelDescHalf2() { return {16, 16, 0, 0, hipChannelFormatKindFloat}; }
constexpr hipChannelFormatDesc hipCreateChannelDescHalf4() { return {16, 16, 16, 16, hipChannelFormatKindFloat}; }
