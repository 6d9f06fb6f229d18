// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays, which textures and surfaces read: their elements and sizes. The names and numbers are HIP's, as of HIP 6.
#pragma once

#include "hip/detail/copy_types.h"

enum hipChannelFormatKind : int {
  hipChannelFormatKindSigned = 0,
  hipChannelFormatKindUnsigned = 1,
  hipChannelFormatKindFloat = 2,
  hipChannelFormatKindNone = 3
};

/// An element: the bits of each of its components, from x on; 0: it has no such component.
struct hipChannelFormatDesc {
  int x;
  int y;
  int z;
  int w;
  hipChannelFormatKind f;
};

/// The type of a component, where the number of components stands beside it.
enum hipArray_Format : int {
  HIP_AD_FORMAT_UNSIGNED_INT8 = 0x01,
  HIP_AD_FORMAT_UNSIGNED_INT16 = 0x02,
  HIP_AD_FORMAT_UNSIGNED_INT32 = 0x03,
  HIP_AD_FORMAT_SIGNED_INT8 = 0x08,
  HIP_AD_FORMAT_SIGNED_INT16 = 0x09,
  HIP_AD_FORMAT_SIGNED_INT32 = 0x0a,
  HIP_AD_FORMAT_HALF = 0x10,
  HIP_AD_FORMAT_FLOAT = 0x20
};

typedef hipArray_t hiparray;

// Programs may name them. None can be made, as with HIP on Linux.
typedef struct hipMipmappedArray* hipMipmappedArray_t;
typedef const struct hipMipmappedArray* hipMipmappedArray_const_t;

#define hipArrayDefault 0x00
#define hipArrayLayered 0x01
#define hipArraySurfaceLoadStore 0x02
#define hipArrayCubemap 0x04
#define hipArrayTextureGather 0x08

struct HIP_ARRAY_DESCRIPTOR {
  size_t Width;
  size_t Height;
  hipArray_Format Format;
  unsigned NumChannels;
};

struct HIP_ARRAY3D_DESCRIPTOR {
  size_t Width;
  size_t Height;
  size_t Depth;
  hipArray_Format Format;
  unsigned NumChannels;
  unsigned Flags;
};
