// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HIP's qualifiers, as a C++ compiler for the CPU takes them. Nothing here includes anything.
#pragma once

/// Marks the CPU machine, where a vendor's platform would be named.
#define __WARPZ_CPU__ 1

#define __host__
#define __device__
#ifdef WARPZ_MARK_KERNELS
/// Whoever looks for the kernels of a file finds them in a section of their own, also those that nothing calls.
#define __global__ __attribute__((used, section("warpz_kernels")))
#else
#define __global__
#endif
#define __constant__
#define __managed__
/// One object per block that runs: a block keeps to its thread.
#ifdef WARPZ_PROGRAM
/// A whole program is rewritten before it is compiled; src/source/launches.hpp names the mark too.
#define __shared__ __warpz_shared__
#else
#define __shared__ static thread_local  // for `extern __shared__ T name[];` write HIP_DYNAMIC_SHARED(T, name)
#endif

// A hint only. With something in its place the standard library's own __attribute__((__noinline__)) breaks.
#define __noinline__
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#define __grid_constant__
#define __maxnreg__(...)
