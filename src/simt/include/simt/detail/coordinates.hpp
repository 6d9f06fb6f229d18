// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the running lane is, in HIP's names. The machine sets threadIdx as it changes lanes and the others as it
// begins a block.
//
// They carry HIP's names already here because a variable of a thread has no second name in C++, and anything but a
// plain variable shows: a macro takes the names blockDim and gridDim away from host code, and an object that
// computes its members is no unsigned to a template.
#pragma once

#include <type_traits>

namespace simt {

/// A place or an extent in three dimensions that kernels can only read. Turns into any type that is made of x, y
/// and z, such as dim3 and uint3.
struct coordinates {
  const unsigned x, y, z;

  template <class Vector, class = decltype(Vector{0u, 0u, 0u}.z)>
  constexpr operator Vector() const {
    return Vector{x, y, z};
  }
};

}  // namespace simt

#define SIMT_COORDINATES extern SIMT_API __thread __attribute__((tls_model("initial-exec"))) simt::coordinates
SIMT_COORDINATES threadIdx;
SIMT_COORDINATES blockIdx;
SIMT_COORDINATES blockDim;
SIMT_COORDINATES gridDim;
#undef SIMT_COORDINATES

namespace simt {
namespace detail {

/// The one way to change a variable of constant members.
template <class Index>
inline __attribute__((always_inline)) void set(coordinates& variable, const Index& value) {
  static_assert(sizeof value == sizeof variable);
  void* target = &variable;
  // g++ and ld together get the undefined-behaviour sanitizer's question wrong whether this address is null: the
  // linker turns the addition whose flags answer it into one that sets none.
  asm("" : "+r"(target));
  __builtin_memcpy(target, &value, sizeof value);
}

}  // namespace detail
}  // namespace simt
