// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The vector types char1 … double4, as HIP or as CUDA has them, with make_ functions, and what dim3 has to do with
// them.
#pragma once

#ifdef __WARPZ_CUDA__
#include "hip/detail/plain_vector_types.h"
#else
#include "hip/detail/vector_types.h"
#endif

SIMT_BOTH_SIDES_BEGIN

#define SIMT_NAMED_VECTORS(name, type)                                                   \
  SIMT_VECTOR_TYPES(name, type)                                                          \
  constexpr name##1 make_##name##1(type x) { return name##1 {x}; }                       \
  constexpr name##2 make_##name##2(type x, type y) { return name##2 {x, y}; }            \
  constexpr name##3 make_##name##3(type x, type y, type z) { return name##3 {x, y, z}; } \
  constexpr name##4 make_##name##4(type x, type y, type z, type w) { return name##4 {x, y, z, w}; }

SIMT_NAMED_VECTORS(char, simt_vector_char)
SIMT_NAMED_VECTORS(uchar, unsigned char)
SIMT_NAMED_VECTORS(short, short)
SIMT_NAMED_VECTORS(ushort, unsigned short)
SIMT_NAMED_VECTORS(int, int)
SIMT_NAMED_VECTORS(uint, unsigned int)
SIMT_NAMED_VECTORS(long, long)
SIMT_NAMED_VECTORS(ulong, unsigned long)
SIMT_NAMED_VECTORS(longlong, long long)
SIMT_NAMED_VECTORS(ulonglong, unsigned long long)
SIMT_NAMED_VECTORS(float, float)
SIMT_NAMED_VECTORS(double, double)
#undef SIMT_NAMED_VECTORS
#undef SIMT_VECTOR_TYPES

constexpr dim3::dim3(const uint3& extent) : x(extent.x), y(extent.y), z(extent.z) {}

constexpr dim3::operator uint3() const { return uint3{x, y, z}; }

SIMT_BOTH_SIDES_END
