// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What device code calls to launch kernels. Libraries name it in functions for both sides, and no kernel launches
// kernels here: it fails as on a device that cannot.
#pragma once

#include "hip/hip_runtime_api.h"

SIMT_BOTH_SIDES_BEGIN

inline void* cudaGetParameterBuffer(size_t /*alignment*/, size_t /*bytes*/) { return nullptr; }
inline hipError_t cudaLaunchDevice(void* /*kernel*/, void* /*parameters*/, dim3 /*grid*/, dim3 /*block*/,
                                   unsigned /*shared_bytes*/, hipStream_t /*stream*/) {
  return hipErrorNotSupported;
}

SIMT_BOTH_SIDES_END
