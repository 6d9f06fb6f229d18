// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA's vector types: char1 … double4, with make_ functions. Plain structs without operators, which programs define
// for themselves.
//
// Alignment is CUDA's: that of the size for 2 and 4 components, but 16 at most; that of one component for 1 and 3.
#pragma once

#include "hip/detail/dim3.h"
#include "hip/hip_common.h"

SIMT_BOTH_SIDES_BEGIN

#define SIMT_VECTOR_TYPES(name, type)                                            \
  struct name##1 {                                                               \
    type x;                                                                      \
  };                                                                             \
  struct alignas(2 * sizeof(type)) name##2 {                                     \
    type x, y;                                                                   \
  };                                                                             \
  struct name##3 {                                                               \
    type x, y, z;                                                                \
  };                                                                             \
  struct alignas(sizeof(type) < 4 ? 4 * sizeof(type) : 16) name##4 {             \
    type x, y, z, w;                                                             \
  };                                                                             \
  constexpr name##1 make_##name##1(type x) { return {x}; }                       \
  constexpr name##2 make_##name##2(type x, type y) { return {x, y}; }            \
  constexpr name##3 make_##name##3(type x, type y, type z) { return {x, y, z}; } \
  constexpr name##4 make_##name##4(type x, type y, type z, type w) { return {x, y, z, w}; }

SIMT_VECTOR_TYPES(char, signed char)
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

SIMT_BOTH_SIDES_END
