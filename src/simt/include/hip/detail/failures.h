// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ending a kernel on purpose: assert, abort and __trap become findings that name the lane.
//
// assert and abort are the C library's own, so that a kernel may include <cassert> before or after. A failed assert
// calls __assert_fail, which the machine replaces (src/simt/hip/device.cpp); outside kernels it does what it always
// does. NDEBUG takes asserts out, as everywhere.
#pragma once

#include "hip/detail/c_library.h"
#include "hip/detail/host_defines.h"

SIMT_BOTH_SIDES_BEGIN

/// Stops the kernel.
[[noreturn]] __device__ __forceinline__ void __trap() { __builtin_trap(); }

SIMT_BOTH_SIDES_END
