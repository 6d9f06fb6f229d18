// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// threadIdx, blockIdx, blockDim, gridDim and warpSize.
//
// The four coordinates are the machine's own variables (simt/detail/coordinates.hpp): objects, not macros, so that
// a host function may call its own variable blockDim, and `auto i = threadIdx.x` is an unsigned. Outside a kernel
// they are all 0.
#pragma once

#include "simt/lane.hpp"

SIMT_BOTH_SIDES_BEGIN

/// Lanes per warp, 32 or 64: a run-time value, as on AMD since ROCm 7. Reads the current device's. For code that wants
/// a constant there is one (src/compile/mended_compilation.cpp), unless it is compiled for ROCm 7.
#if (defined(__WARPZ_ROCM__) && __WARPZ_ROCM__ < 7) || \
    (defined(__WARPZ_CONSTANT_WARP_SIZE__) && !defined(__WARPZ_ROCM__) && defined(__AMDGCN_WAVEFRONT_SIZE))
static constexpr int warpSize = __AMDGCN_WAVEFRONT_SIZE;
#else
static constexpr const int& warpSize = simt::current_warp_size;
#endif

// The names of HIP's early versions.
#define hipThreadIdx_x threadIdx.x
#define hipThreadIdx_y threadIdx.y
#define hipThreadIdx_z threadIdx.z
#define hipBlockIdx_x blockIdx.x
#define hipBlockIdx_y blockIdx.y
#define hipBlockIdx_z blockIdx.z
#define hipBlockDim_x blockDim.x
#define hipBlockDim_y blockDim.y
#define hipBlockDim_z blockDim.z
#define hipGridDim_x gridDim.x
#define hipGridDim_y gridDim.y
#define hipGridDim_z gridDim.z

SIMT_BOTH_SIDES_END
