// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the running lane is, in HIP's names. The machine sets threadIdx when it switches lanes, and the others when it
// begins a block.
//
// They have HIP's names even here because C++ has no aliases for thread-local variables, and anything but a plain
// variable is noticed: macros would take the names blockDim and gridDim away from host code, and the members of an
// object that computes them would not be unsigned to a template.
#pragma once

#include <type_traits>

SIMT_BOTH_SIDES_BEGIN

namespace simt {

/// A position or an extent in three dimensions that kernels can only read. Converts to any type made of x, y and z,
/// such as dim3 and uint3.
struct coordinates {
  const unsigned x, y, z;

  template <class _Vector, class = decltype(_Vector{0u, 0u, 0u}.z)>
  constexpr operator _Vector() const {
    return _Vector{x, y, z};
  }
};

}  // namespace simt

#define SIMT_COORDINATES \
  extern SIMT_DEVICE SIMT_API __thread __attribute__((tls_model("initial-exec"))) simt::coordinates
SIMT_COORDINATES threadIdx;
SIMT_COORDINATES blockIdx;
SIMT_COORDINATES blockDim;
SIMT_COORDINATES gridDim;
#undef SIMT_COORDINATES

namespace simt {
namespace detail {

/// The one way to change a variable of constant members.
template <class _Index>
inline __attribute__((always_inline)) void set(coordinates& variable, const _Index& value) {
  static_assert(sizeof value == sizeof variable);
  void* target = &variable;
  // Hides the address from the undefined-behaviour sanitizer's test for null, which g++ and ld together get wrong: the
  // linker replaces the addition whose flags the test reads by one that sets none.
  asm("" : "+r"(target));
  __builtin_memcpy(target, &value, sizeof value);
}

}  // namespace detail
}  // namespace simt

SIMT_BOTH_SIDES_END
