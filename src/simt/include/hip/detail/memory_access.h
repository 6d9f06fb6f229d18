// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dynamic shared memory, and reading through the read-only cache.
//
// The bytes that a launch asks for belong to the block; every HIP_DYNAMIC_SHARED of a kernel begins at their start:
//
//     HIP_DYNAMIC_SHARED(float, tile);           // on a GPU: extern __shared__ float tile[];
//
// The form with extern is for user programs, where warpz replaces it by a dynamic_shared_array before compiling
// (src/source/launches.hpp).
#pragma once

#include <stddef.h>

#include "hip/detail/host_defines.h"
#include "simt/lane.hpp"

/// The first byte of the block's dynamic shared memory, aligned to 256 bytes.
__device__ __forceinline__ void* __get_dynamicgroupbaseptr() { return simt::this_lane->dynamic_shared; }
__device__ __forceinline__ void* __amdgcn_get_dynamicgroupbaseptr() { return simt::this_lane->dynamic_shared; }

namespace simt {

/// Replaces `extern __shared__ _Element name[];` outside of functions.
template <class _Element>
struct dynamic_shared_array {
  operator _Element*() const { return static_cast<_Element*>(this_lane->dynamic_shared); }
};

}  // namespace simt

/// Declares `name`, a pointer to the block's dynamic shared memory.
#define HIP_DYNAMIC_SHARED(type, name) type* const name = static_cast<type*>(__get_dynamicgroupbaseptr());
#define HIP_DYNAMIC_SHARED_ATTRIBUTE

/// The value at `address`: this machine has one kind of memory.
template <class _Tp>
__device__ __forceinline__ _Tp __ldg(const _Tp* address) {
  return *address;
}
