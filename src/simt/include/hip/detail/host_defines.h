// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What HIP defines on its host side besides the qualifiers.
#pragma once

#include "hip/detail/qualifiers.h"
#include "simt/detail/sides.hpp"

/// The platform: the CPU machine, in place of a vendor.
#define __WARPZ_CPU__ 1

#if !defined(__HIP__) && !defined(__CUDA__)
// Empty, as it is only a hint: anything else would break the standard library's own __attribute__((__noinline__)).
#define __noinline__
#endif
#define __forceinline__ inline __attribute__((always_inline))
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __grid_constant__
#define __maxnreg__(...)
