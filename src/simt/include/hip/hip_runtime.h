// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HIP on the CPU machine: all that <hip/hip_runtime.h> provides for kernels and for the programs that launch them.
//
// The host's half is in hip_runtime_api.h. The device's half is in the files of detail/: each says what it provides,
// which lanes must take part, and where it follows AMD. <hip/hip_cooperative_groups.h> and <hip/hip_fp16.h> are
// separate, as in HIP.
#pragma once

// First: what Clang puts before the C++ library's headers needs the qualifiers, and the library's templates know what
// is declared before them.
#include "hip/detail/c_library.h"

#ifdef WARPZ_PROGRAM
// ROCm's header includes these too, and many programs rely on it. Kernel files do without: they take time to compile.
#include <limits.h>

#include <array>
#include <thread>
#ifndef __WARPZ_CUDA__
#include <algorithm>
#include <complex>
#include <sstream>
#include <string>
#endif
#endif

#include <stdint.h>

#include "hip/detail/amd_builtins.h"
#include "hip/detail/atomics.h"
#include "hip/detail/barriers.h"
#include "hip/detail/clock.h"
#include "hip/detail/conversions.h"
#include "hip/detail/coordinates.h"
#include "hip/detail/failures.h"
#include "hip/detail/integer_intrinsics.h"
#include "hip/detail/math_functions.h"
#include "hip/detail/memory_access.h"
#include "hip/detail/reductions.h"
#include "hip/detail/scoped_atomics.h"
#include "hip/detail/shuffles.h"
#include "hip/detail/special_functions.h"
#include "hip/detail/surface_functions.h"
#include "hip/detail/texture_functions.h"
#include "hip/detail/votes.h"
#include "hip/hip_runtime_api.h"
#include "simt/lane_functions.hpp"
