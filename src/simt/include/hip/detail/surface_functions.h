// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How kernels read and write surfaces. `x` is in bytes, as with CUDA and with HIP since 5.3. What an access beside the
// surface does, its last argument says.
#pragma once

#include "hip/detail/site.h"
#include "hip/detail/surface_types.h"
#include "simt/textures.hpp"

SIMT_BOTH_SIDES_BEGIN

#ifdef __WARPZ_CUDA__
#define SIMT_BOUNDARY_MODE hipBoundaryModeTrap
#else
#define SIMT_BOUNDARY_MODE hipBoundaryModeZero
#endif
#define SIMT_LIST(...) __VA_ARGS__
#define SIMT_SURFACE_FUNCTIONS(name, parameters, x, y, z)                                                   \
  template <class _Tp>                                                                                      \
  __device__ __forceinline__ _Tp name##read(hipSurfaceObject_t surface, SIMT_LIST parameters,               \
                                            int mode = SIMT_BOUNDARY_MODE,                                  \
                                            simt::site at = simt::hip::here(#name "read")) {                \
    _Tp value{};                                                                                            \
    simt::read_surface(surface, {x, y, z, mode}, &value, sizeof value, at);                                 \
    return value;                                                                                           \
  }                                                                                                         \
  template <class _Tp>                                                                                      \
  __device__ __forceinline__ void name##read(_Tp* result, hipSurfaceObject_t surface, SIMT_LIST parameters, \
                                             int mode = SIMT_BOUNDARY_MODE,                                 \
                                             simt::site at = simt::hip::here(#name "read")) {               \
    _Tp value{};                                                                                            \
    simt::read_surface(surface, {x, y, z, mode}, &value, sizeof value, at);                                 \
    *result = value;                                                                                        \
  }                                                                                                         \
  template <class _Tp>                                                                                      \
  __device__ __forceinline__ void name##write(_Tp value, hipSurfaceObject_t surface, SIMT_LIST parameters,  \
                                              int mode = SIMT_BOUNDARY_MODE,                                \
                                              simt::site at = simt::hip::here(#name "write")) {             \
    simt::write_surface(surface, {x, y, z, mode}, &value, sizeof value, at);                                \
  }

SIMT_SURFACE_FUNCTIONS(surf1D, (int x), x, 0, 0)
SIMT_SURFACE_FUNCTIONS(surf2D, (int x, int y), x, y, 0)
SIMT_SURFACE_FUNCTIONS(surf3D, (int x, int y, int z), x, y, z)
SIMT_SURFACE_FUNCTIONS(surf1DLayered, (int x, int layer), x, 0, layer)
SIMT_SURFACE_FUNCTIONS(surf2DLayered, (int x, int y, int layer), x, y, layer)
SIMT_SURFACE_FUNCTIONS(surfCubemap, (int x, int y, int face), x, y, face)
SIMT_SURFACE_FUNCTIONS(surfCubemapLayered, (int x, int y, int face, int layer), x, y, 6 * layer + face)

#undef SIMT_SURFACE_FUNCTIONS
#undef SIMT_LIST
#undef SIMT_BOUNDARY_MODE

SIMT_BOTH_SIDES_END
