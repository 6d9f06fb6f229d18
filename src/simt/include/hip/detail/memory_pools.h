// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory that is allocated and freed in the order of a stream, from pools; and handles of memory for other processes.
#pragma once

#include "hip/detail/api_types.h"
#include "simt/lane.hpp"

typedef struct ihipMemPoolHandle_t* hipMemPool_t;

enum hipMemPoolAttr : int {
  hipMemPoolReuseFollowEventDependencies = 1,
  hipMemPoolReuseAllowOpportunistic = 2,
  hipMemPoolReuseAllowInternalDependencies = 3,
  hipMemPoolAttrReleaseThreshold = 4,
  hipMemPoolAttrReservedMemCurrent = 5,
  hipMemPoolAttrReservedMemHigh = 6,
  hipMemPoolAttrUsedMemCurrent = 7,
  hipMemPoolAttrUsedMemHigh = 8
};

enum hipMemLocationType : int { hipMemLocationTypeInvalid = 0, hipMemLocationTypeDevice = 1 };

struct hipMemLocation {
  hipMemLocationType type;
  int id;
};

enum hipMemAccessFlags : int {
  hipMemAccessFlagsProtNone = 0,
  hipMemAccessFlagsProtRead = 1,
  hipMemAccessFlagsProtReadWrite = 3
};

struct hipMemAccessDesc {
  hipMemLocation location;
  hipMemAccessFlags flags;
};

enum hipMemAllocationType : int {
  hipMemAllocationTypeInvalid = 0,
  hipMemAllocationTypePinned = 1,
  hipMemAllocationTypeMax = 0x7fffffff
};

enum hipMemAllocationHandleType : int {
  hipMemHandleTypeNone = 0,
  hipMemHandleTypePosixFileDescriptor = 1,
  hipMemHandleTypeWin32 = 2,
  hipMemHandleTypeWin32Kmt = 4
};

struct hipMemPoolProps {
  hipMemAllocationType allocType;
  hipMemAllocationHandleType handleTypes;
  hipMemLocation location;
  void* win32SecurityAttributes;
  size_t maxSize;  ///< 0: no limit of its own
  unsigned char reserved[56];
};

struct hipMemPoolPtrExportData {
  unsigned char reserved[64];
};

#define HIP_IPC_HANDLE_SIZE 64
#define hipIpcMemLazyEnablePeerAccess 0x01

struct hipIpcMemHandle_t {
  char reserved[HIP_IPC_HANDLE_SIZE];
};

struct hipIpcEventHandle_t {
  char reserved[HIP_IPC_HANDLE_SIZE];
};

#ifdef __clang__
#define SIMT_POOL_API SIMT_API __attribute__((nomerge))
#else
#define SIMT_POOL_API SIMT_API
#endif

inline namespace hip_on_cpu {

/// From the current pool of the stream's device. What the stream is given later may use the memory, and other work that
/// comes behind this call.
SIMT_POOL_API hipError_t hipMallocAsync(void** pointer, size_t bytes, hipStream_t stream);
SIMT_POOL_API hipError_t hipMallocFromPoolAsync(void** pointer, size_t bytes, hipMemPool_t pool, hipStream_t stream);
/// Frees memory of any call that allocates device memory.
SIMT_POOL_API hipError_t hipFreeAsync(void* pointer, hipStream_t stream);

/// The device's own pool, and the one that hipMallocAsync takes.
SIMT_API hipError_t hipDeviceGetDefaultMemPool(hipMemPool_t* pool, int device);
SIMT_API hipError_t hipDeviceGetMemPool(hipMemPool_t* pool, int device);
SIMT_API hipError_t hipDeviceSetMemPool(int device, hipMemPool_t pool);

SIMT_API hipError_t hipMemPoolCreate(hipMemPool_t* pool, const hipMemPoolProps* properties);
/// The pool's memory stays until it is freed.
SIMT_API hipError_t hipMemPoolDestroy(hipMemPool_t pool);
/// Numbers of bytes are std::uint64_t, the others int. The high marks can be set, to 0 alone.
SIMT_API hipError_t hipMemPoolGetAttribute(hipMemPool_t pool, hipMemPoolAttr attribute, void* value);
SIMT_API hipError_t hipMemPoolSetAttribute(hipMemPool_t pool, hipMemPoolAttr attribute, void* value);
SIMT_API hipError_t hipMemPoolTrimTo(hipMemPool_t pool, size_t bytes);
SIMT_API hipError_t hipMemPoolSetAccess(hipMemPool_t pool, const hipMemAccessDesc* accesses, size_t count);
SIMT_API hipError_t hipMemPoolGetAccess(hipMemAccessFlags* flags, hipMemPool_t pool, hipMemLocation* location);

// Pools are not shared with other processes: hipErrorNotSupported, as with AMD's runtime.
SIMT_API hipError_t hipMemPoolExportToShareableHandle(void* handle, hipMemPool_t pool, hipMemAllocationHandleType type,
                                                      unsigned flags);
SIMT_API hipError_t hipMemPoolImportFromShareableHandle(hipMemPool_t* pool, void* handle,
                                                        hipMemAllocationHandleType type, unsigned flags);
SIMT_API hipError_t hipMemPoolExportPointer(hipMemPoolPtrExportData* data, void* pointer);
SIMT_API hipError_t hipMemPoolImportPointer(void** pointer, hipMemPool_t pool, hipMemPoolPtrExportData* data);

// Handles for other processes. The process that a handle is from cannot open it (hipErrorInvalidContext), as with both
// vendors; nor can another one here, as each has memory of its own (hipErrorMapFailed).
SIMT_API hipError_t hipIpcGetMemHandle(hipIpcMemHandle_t* handle, void* pointer);
SIMT_API hipError_t hipIpcOpenMemHandle(void** pointer, hipIpcMemHandle_t handle, unsigned flags);
SIMT_API hipError_t hipIpcCloseMemHandle(void* pointer);
SIMT_API hipError_t hipIpcGetEventHandle(hipIpcEventHandle_t* handle, hipEvent_t event);
SIMT_API hipError_t hipIpcOpenEventHandle(hipEvent_t* event, hipIpcEventHandle_t handle);

inline hipError_t hipMallocAsync(void** pointer, size_t bytes, hipMemPool_t pool, hipStream_t stream) {
  return hipMallocFromPoolAsync(pointer, bytes, pool, stream);
}

// C's cast, because the pointer may be one to const.
template <class _Tp>
hipError_t hipMallocAsync(_Tp** pointer, size_t bytes, hipStream_t stream) {
  return hipMallocAsync((void**)pointer, bytes, stream);
}
template <class _Tp>
hipError_t hipMallocAsync(_Tp** pointer, size_t bytes, hipMemPool_t pool, hipStream_t stream) {
  return hipMallocFromPoolAsync((void**)pointer, bytes, pool, stream);
}
template <class _Tp>
hipError_t hipMallocFromPoolAsync(_Tp** pointer, size_t bytes, hipMemPool_t pool, hipStream_t stream) {
  return hipMallocFromPoolAsync((void**)pointer, bytes, pool, stream);
}

}  // namespace hip_on_cpu
