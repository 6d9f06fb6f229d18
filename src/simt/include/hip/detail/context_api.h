// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HIP's contexts: a way of the driver's interface to choose a device. Each thread has a stack of them.
#pragma once

#include "hip/detail/api_types.h"
#include "simt/lane.hpp"

typedef struct ihipCtx_t* hipCtx_t;

inline namespace hip_on_cpu {

/// Creates a context and makes it the current one.
SIMT_API hipError_t hipCtxCreate(hipCtx_t* context, unsigned flags, hipDevice_t device);
SIMT_API hipError_t hipCtxDestroy(hipCtx_t context);
/// Null takes the current context off the stack.
SIMT_API hipError_t hipCtxSetCurrent(hipCtx_t context);
/// The device's primary context where the thread has no other.
SIMT_API hipError_t hipCtxGetCurrent(hipCtx_t* context);
SIMT_API hipError_t hipCtxPushCurrent(hipCtx_t context);
SIMT_API hipError_t hipCtxPopCurrent(hipCtx_t* context);
SIMT_API hipError_t hipCtxGetDevice(hipDevice_t* device);
SIMT_API hipError_t hipCtxGetFlags(unsigned* flags);
SIMT_API hipError_t hipCtxGetApiVersion(hipCtx_t context, int* version);
SIMT_API hipError_t hipCtxSynchronize();
SIMT_API hipError_t hipCtxGetCacheConfig(hipFuncCache_t* config);
SIMT_API hipError_t hipCtxSetCacheConfig(hipFuncCache_t config);
SIMT_API hipError_t hipCtxGetSharedMemConfig(hipSharedMemConfig* config);
SIMT_API hipError_t hipCtxSetSharedMemConfig(hipSharedMemConfig config);
SIMT_API hipError_t hipCtxEnablePeerAccess(hipCtx_t peer, unsigned flags);
SIMT_API hipError_t hipCtxDisablePeerAccess(hipCtx_t peer);

SIMT_API hipError_t hipDevicePrimaryCtxRetain(hipCtx_t* context, hipDevice_t device);
SIMT_API hipError_t hipDevicePrimaryCtxRelease(hipDevice_t device);
SIMT_API hipError_t hipDevicePrimaryCtxReset(hipDevice_t device);
SIMT_API hipError_t hipDevicePrimaryCtxGetState(hipDevice_t device, unsigned* flags, int* active);
SIMT_API hipError_t hipDevicePrimaryCtxSetFlags(hipDevice_t device, unsigned flags);

}  // namespace hip_on_cpu
