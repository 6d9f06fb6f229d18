// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The vector types char1 … double4, as HIP or as CUDA has them, and what dim3 has to do with them.
#pragma once

#ifdef __WARPZ_CUDA__
#include "cuda/detail/vector_types.h"
#else
#include "hip/detail/vector_types.h"
#endif

SIMT_BOTH_SIDES_BEGIN

constexpr dim3::dim3(const uint3& extent) : x(extent.x), y(extent.y), z(extent.z) {}

constexpr dim3::operator uint3() const { return uint3{x, y, z}; }

SIMT_BOTH_SIDES_END
