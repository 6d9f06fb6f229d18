// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dynamic shared memory, and reading through the read-only cache.
//
// The bytes that a launch asks for belong to the block; each `extern __shared__ T name[];` that its kernel uses begins
// at their start.
#pragma once

#include <stddef.h>

#include "hip/detail/host_defines.h"
#include "simt/lane.hpp"

SIMT_BOTH_SIDES_BEGIN

/// The first byte of the block's dynamic shared memory, aligned to 256 bytes.
__device__ __forceinline__ void* __get_dynamicgroupbaseptr() { return simt::this_lane->dynamic_shared; }
__device__ __forceinline__ void* __amdgcn_get_dynamicgroupbaseptr() { return simt::this_lane->dynamic_shared; }

/// Declares `name`, an array in the block's dynamic shared memory.
#if defined(__HIP__) || defined(__CUDA__)
#define HIP_DYNAMIC_SHARED(type, name) extern __shared__ type name[];
#else
#define HIP_DYNAMIC_SHARED(type, name) type* const name = static_cast<type*>(__get_dynamicgroupbaseptr());
#endif
#define HIP_DYNAMIC_SHARED_ATTRIBUTE

/// The value at `address`: this machine has one kind of memory.
template <class _Tp>
__device__ __forceinline__ _Tp __ldg(const _Tp* address) {
  return *address;
}

SIMT_BOTH_SIDES_END
