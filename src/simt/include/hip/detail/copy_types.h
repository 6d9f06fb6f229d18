// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What HIP's calls for rows and boxes of memory take. Widths and x are in bytes, but in elements where an array takes
// part.
#pragma once

#include "hip/detail/api_types.h"

typedef struct hipArray* hipArray_t;
typedef const struct hipArray* hipArray_const_t;

struct hipPitchedPtr {
  void* ptr;
  size_t pitch;  ///< bytes from row to row
  size_t xsize;
  size_t ysize;  ///< rows from one slice to the next
};

struct hipExtent {
  size_t width;
  size_t height;
  size_t depth;
};

struct hipPos {
  size_t x;
  size_t y;
  size_t z;
};

inline hipPitchedPtr make_hipPitchedPtr(void* pointer, size_t pitch, size_t xsize, size_t ysize) {
  return {pointer, pitch, xsize, ysize};
}

inline hipExtent make_hipExtent(size_t width, size_t height, size_t depth) { return {width, height, depth}; }

inline hipPos make_hipPos(size_t x, size_t y, size_t z) { return {x, y, z}; }

struct hipMemcpy3DParms {
  hipArray_t srcArray;
  hipPos srcPos;
  hipPitchedPtr srcPtr;
  hipArray_t dstArray;
  hipPos dstPos;
  hipPitchedPtr dstPtr;
  hipExtent extent;
  hipMemcpyKind kind;
};

/// Between devices, which share their memory here.
struct hipMemcpy3DPeerParms {
  hipArray_t srcArray;
  hipPos srcPos;
  hipPitchedPtr srcPtr;
  int srcDevice;
  hipArray_t dstArray;
  hipPos dstPos;
  hipPitchedPtr dstPtr;
  int dstDevice;
  hipExtent extent;
};

struct hip_Memcpy2D {
  size_t srcXInBytes;
  size_t srcY;
  hipMemoryType srcMemoryType;
  const void* srcHost;
  hipDeviceptr_t srcDevice;
  hipArray_t srcArray;
  size_t srcPitch;
  size_t dstXInBytes;
  size_t dstY;
  hipMemoryType dstMemoryType;
  void* dstHost;
  hipDeviceptr_t dstDevice;
  hipArray_t dstArray;
  size_t dstPitch;
  size_t WidthInBytes;
  size_t Height;
};

struct HIP_MEMCPY3D {
  size_t srcXInBytes;
  size_t srcY;
  size_t srcZ;
  size_t srcLOD;
  hipMemoryType srcMemoryType;
  const void* srcHost;
  hipDeviceptr_t srcDevice;
  hipArray_t srcArray;
  size_t srcPitch;
  size_t srcHeight;
  size_t dstXInBytes;
  size_t dstY;
  size_t dstZ;
  size_t dstLOD;
  hipMemoryType dstMemoryType;
  void* dstHost;
  hipDeviceptr_t dstDevice;
  hipArray_t dstArray;
  size_t dstPitch;
  size_t dstHeight;
  size_t WidthInBytes;
  size_t Height;
  size_t Depth;
};

struct hipMemsetParams {
  void* dst;
  unsigned elementSize;
  size_t height;
  size_t pitch;
  unsigned value;
  size_t width;  ///< in elements
};
