// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Surfaces: arrays that kernels read and write.
#pragma once

#include "hip/detail/array_types.h"

typedef struct __hip_surface* hipSurfaceObject_t;

/// What an access beside the surface does.
enum hipSurfaceBoundaryMode : int {
  hipBoundaryModeZero = 0,  ///< a read gives 0, a write nothing
  hipBoundaryModeTrap = 1,  ///< the kernel fails
  hipBoundaryModeClamp = 2  ///< it is one to the nearest element
};
