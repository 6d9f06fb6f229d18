// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA's vector types: plain structs without operators, which programs define for themselves.
//
// Alignment is CUDA's: that of the size for 2 and 4 components, but 16 at most; that of one component for 1 and 3.
#pragma once

#include "hip/detail/dim3.h"

/// The types of a name, such as float1 to float4 (vectors.h has the names).
#define SIMT_VECTOR_TYPES(name, type)                                \
  struct name##1 {                                                   \
    type x;                                                          \
  };                                                                 \
  struct alignas(2 * sizeof(type)) name##2 {                         \
    type x, y;                                                       \
  };                                                                 \
  struct name##3 {                                                   \
    type x, y, z;                                                    \
  };                                                                 \
  struct alignas(sizeof(type) < 4 ? 4 * sizeof(type) : 16) name##4 { \
    type x, y, z, w;                                                 \
  };
typedef signed char simt_vector_char;
