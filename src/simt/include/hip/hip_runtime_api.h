// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HIP's host side on the CPU machine: devices, memory, streams, events, launches and errors.
//
// Two devices: 0 has 32 lanes a warp, 1 has 64. Both work in the host's own memory. A call does its work before
// it returns, so streams are always idle and an asynchronous call is a synchronous one. Each call returns HIP's
// code, and hipGetLastError returns the last error of the calling thread. HIP's other names are in
// detail/refused_names.h, which says what to use instead.
#pragma once

#include "hip/detail/context_api.h"
#include "hip/detail/copy_types.h"
#include "hip/detail/device_properties.h"
#include "hip/detail/dim3.h"
#include "hip/detail/modules.h"
#include "hip/driver_types.h"
#include "hip/hip_vector_types.h"
#include "simt/lane.hpp"

/// The older name of hipSuccess.
#define HIP_SUCCESS hipSuccess

// A namespace of their own, as a vendor's functions may be in the same process.
// Reports name the line of each of these calls: a compiler must not make one of two.
#ifdef __clang__
#define SIMT_ALLOCATION_API SIMT_API __attribute__((nomerge))
#else
#define SIMT_ALLOCATION_API SIMT_API
#endif

inline namespace hip_on_cpu {

// Errors.

/// Returns the last error of this thread and forgets it. A success does not overwrite an error.
SIMT_API hipError_t hipGetLastError();
SIMT_API hipError_t hipExtGetLastError();
/// Returns the last error of this thread and keeps it.
SIMT_API hipError_t hipPeekAtLastError();
SIMT_API const char* hipGetErrorName(hipError_t error);
SIMT_API const char* hipGetErrorString(hipError_t error);
SIMT_API hipError_t hipDrvGetErrorName(hipError_t error, const char** name);
SIMT_API hipError_t hipDrvGetErrorString(hipError_t error, const char** text);

// Devices.

SIMT_API hipError_t hipInit(unsigned flags);
/// HIP_VERSION of this machine.
SIMT_API hipError_t hipDriverGetVersion(int* version);
SIMT_API hipError_t hipRuntimeGetVersion(int* version);

SIMT_API hipError_t hipGetDeviceCount(int* count);
/// Sets the device for the calls of this thread that follow; 0 in a new thread.
SIMT_API hipError_t hipSetDevice(int device);
SIMT_API hipError_t hipGetDevice(int* device);
SIMT_API hipError_t hipGetDeviceProperties(hipDeviceProp_t* properties, int device);
SIMT_API hipError_t hipDeviceGetAttribute(int* value, hipDeviceAttribute_t attribute, int device);
SIMT_API hipError_t hipDeviceSynchronize();
/// Frees all memory of the current device and destroys its streams and events.
SIMT_API hipError_t hipDeviceReset();

SIMT_API hipError_t hipDeviceGet(hipDevice_t* device, int ordinal);
SIMT_API hipError_t hipDeviceGetName(char* name, int length, hipDevice_t device);
SIMT_API hipError_t hipDeviceTotalMem(size_t* bytes, hipDevice_t device);
SIMT_API hipError_t hipDeviceComputeCapability(int* major, int* minor, hipDevice_t device);

SIMT_API hipError_t hipDeviceCanAccessPeer(int* can_access, int device, int peer);
SIMT_API hipError_t hipDeviceEnablePeerAccess(int peer, unsigned flags);
SIMT_API hipError_t hipDeviceDisablePeerAccess(int peer);

SIMT_API hipError_t hipDeviceGetP2PAttribute(int* value, hipDeviceP2PAttr attribute, int source, int target);

/// Bytes of a thread's stack, of what printf may hold back, and of what malloc may give in kernels. They are kept and
/// given back: a thread's stack has always the most that can be asked for, and the others have no limits here.
SIMT_API hipError_t hipDeviceGetLimit(size_t* value, hipLimit_t limit);
SIMT_API hipError_t hipDeviceSetLimit(hipLimit_t limit, size_t value);

// Hints, which the CPU does not need. They are checked and accepted.
SIMT_API hipError_t hipSetDeviceFlags(unsigned flags);
SIMT_API hipError_t hipDeviceSetCacheConfig(hipFuncCache_t config);
SIMT_API hipError_t hipDeviceSetSharedMemConfig(hipSharedMemConfig config);
SIMT_API hipError_t hipGetDeviceFlags(unsigned* flags);
SIMT_API hipError_t hipDeviceGetCacheConfig(hipFuncCache_t* config);
SIMT_API hipError_t hipDeviceGetSharedMemConfig(hipSharedMemConfig* config);
SIMT_API hipError_t hipProfilerStart();
SIMT_API hipError_t hipProfilerStop();

// Memory.

/// Device memory, aligned to 256 bytes, its content undefined. No bytes: success and a null pointer.
SIMT_ALLOCATION_API hipError_t hipMalloc(void** pointer, size_t bytes);
/// HIP's kinds of device memory, which are one here; hipMallocSignalMemory is 8 bytes.
SIMT_ALLOCATION_API hipError_t hipExtMallocWithFlags(void** pointer, size_t bytes, unsigned flags);
/// Rows of `width` bytes that begin `*pitch` bytes apart.
SIMT_ALLOCATION_API hipError_t hipMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height);
SIMT_ALLOCATION_API hipError_t hipMemAllocPitch(hipDeviceptr_t* pointer, size_t* pitch, size_t width, size_t height,
                                                unsigned element_bytes);
SIMT_ALLOCATION_API hipError_t hipMalloc3D(hipPitchedPtr* memory, hipExtent extent);
/// hipErrorInvalidValue where the pointer is not the beginning of device or managed memory. Null is allowed.
SIMT_ALLOCATION_API hipError_t hipFree(void* pointer);

SIMT_ALLOCATION_API hipError_t hipMallocManaged(void** pointer, size_t bytes, unsigned flags);
SIMT_ALLOCATION_API hipError_t hipHostMalloc(void** pointer, size_t bytes, unsigned flags);
SIMT_ALLOCATION_API hipError_t hipHostAlloc(void** pointer, size_t bytes, unsigned flags);
SIMT_ALLOCATION_API hipError_t hipMallocHost(void** pointer, size_t bytes);
SIMT_ALLOCATION_API hipError_t hipHostFree(void* pointer);
SIMT_ALLOCATION_API hipError_t hipFreeHost(void* pointer);

/// Lets kernels use the user program's own memory; the device's pointer to it is the host's.
SIMT_API hipError_t hipHostRegister(void* pointer, size_t bytes, unsigned flags);
SIMT_API hipError_t hipHostUnregister(void* pointer);
SIMT_API hipError_t hipHostGetDevicePointer(void** device_pointer, void* host_pointer, unsigned flags);
SIMT_API hipError_t hipHostGetFlags(unsigned* flags, void* pointer);

/// Bytes that can still be allocated, and the memory of the machine or of its control group.
SIMT_API hipError_t hipMemGetInfo(size_t* free, size_t* total);
SIMT_API hipError_t hipMemPtrGetInfo(void* pointer, size_t* bytes);
SIMT_API hipError_t hipPointerGetAttributes(hipPointerAttribute_t* attributes, const void* pointer);

/// The allocation that an address lies in.
SIMT_API hipError_t hipMemGetAddressRange(hipDeviceptr_t* begin, size_t* bytes, hipDeviceptr_t address);
/// The type of `*value` is the attribute's.
SIMT_API hipError_t hipPointerGetAttribute(void* value, hipPointer_attribute attribute, hipDeviceptr_t address);
/// HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS alone can be set.
SIMT_API hipError_t hipPointerSetAttribute(const void* value, hipPointer_attribute attribute, hipDeviceptr_t address);
SIMT_API hipError_t hipDrvPointerGetAttributes(unsigned count, hipPointer_attribute* attributes, void** values,
                                               hipDeviceptr_t address);

// Hints about managed memory: checked and kept, for who asks for them.
SIMT_API hipError_t hipMemPrefetchAsync(const void* pointer, size_t bytes, int device, hipStream_t stream = nullptr);
SIMT_API hipError_t hipMemAdvise(const void* pointer, size_t bytes, hipMemoryAdvise advice, int device);
/// What the last hints about the allocation were, whichever part of it they were about.
SIMT_API hipError_t hipMemRangeGetAttribute(void* value, size_t value_bytes, hipMemRangeAttribute attribute,
                                            const void* pointer, size_t bytes);
SIMT_API hipError_t hipMemRangeGetAttributes(void** values, size_t* value_bytes, hipMemRangeAttribute* attributes,
                                             size_t count, const void* pointer, size_t bytes);
/// Without effect.
SIMT_API hipError_t hipStreamAttachMemAsync(hipStream_t stream, void* pointer, size_t bytes = 0,
                                            unsigned flags = hipMemAttachSingle);

// Copies.
// A direction that does not fit the pointers, or a range that leaves the allocation it begins in, gives
// hipErrorInvalidValue, and nothing is copied.

SIMT_API hipError_t hipMemcpy(void* target, const void* source, size_t bytes, hipMemcpyKind kind);
SIMT_API hipError_t hipMemcpyAsync(void* target, const void* source, size_t bytes, hipMemcpyKind kind,
                                   hipStream_t stream = nullptr);
SIMT_API hipError_t hipMemcpyWithStream(void* target, const void* source, size_t bytes, hipMemcpyKind kind,
                                        hipStream_t stream);
SIMT_API hipError_t hipMemcpyHtoD(hipDeviceptr_t target, void* source, size_t bytes);
SIMT_API hipError_t hipMemcpyDtoH(void* target, hipDeviceptr_t source, size_t bytes);
SIMT_API hipError_t hipMemcpyDtoD(hipDeviceptr_t target, hipDeviceptr_t source, size_t bytes);
SIMT_API hipError_t hipMemcpyHtoDAsync(hipDeviceptr_t target, void* source, size_t bytes, hipStream_t stream);
SIMT_API hipError_t hipMemcpyDtoHAsync(void* target, hipDeviceptr_t source, size_t bytes, hipStream_t stream);
SIMT_API hipError_t hipMemcpyDtoDAsync(hipDeviceptr_t target, hipDeviceptr_t source, size_t bytes, hipStream_t stream);
SIMT_API hipError_t hipMemcpyPeer(void* target, int target_device, const void* source, int source_device, size_t bytes);
SIMT_API hipError_t hipMemcpyPeerAsync(void* target, int target_device, const void* source, int source_device,
                                       size_t bytes, hipStream_t stream = nullptr);
/// `height` rows of `width` bytes; the pitches are the bytes from row to row.
SIMT_API hipError_t hipMemcpy2D(void* target, size_t target_pitch, const void* source, size_t source_pitch,
                                size_t width, size_t height, hipMemcpyKind kind);
SIMT_API hipError_t hipMemcpy2DAsync(void* target, size_t target_pitch, const void* source, size_t source_pitch,
                                     size_t width, size_t height, hipMemcpyKind kind, hipStream_t stream = nullptr);
// Device, managed or pinned memory only. Counts are of elements of 8, 16 or 32 bits, `bytes` of bytes.
SIMT_API hipError_t hipMemset(void* target, int value, size_t bytes);
SIMT_API hipError_t hipMemsetAsync(void* target, int value, size_t bytes, hipStream_t stream = nullptr);
SIMT_API hipError_t hipMemsetD8(hipDeviceptr_t target, unsigned char value, size_t count);
SIMT_API hipError_t hipMemsetD8Async(hipDeviceptr_t target, unsigned char value, size_t count,
                                     hipStream_t stream = nullptr);
SIMT_API hipError_t hipMemsetD16(hipDeviceptr_t target, unsigned short value, size_t count);
SIMT_API hipError_t hipMemsetD16Async(hipDeviceptr_t target, unsigned short value, size_t count,
                                      hipStream_t stream = nullptr);
SIMT_API hipError_t hipMemsetD32(hipDeviceptr_t target, int value, size_t count);
SIMT_API hipError_t hipMemsetD32Async(hipDeviceptr_t target, int value, size_t count, hipStream_t stream = nullptr);
SIMT_API hipError_t hipMemset2D(void* target, size_t pitch, int value, size_t width, size_t height);
SIMT_API hipError_t hipMemset2DAsync(void* target, size_t pitch, int value, size_t width, size_t height,
                                     hipStream_t stream = nullptr);
SIMT_API hipError_t hipMemset3D(hipPitchedPtr target, int value, hipExtent extent);
SIMT_API hipError_t hipMemset3DAsync(hipPitchedPtr target, int value, hipExtent extent, hipStream_t stream = nullptr);

// Streams.

SIMT_API hipError_t hipStreamCreate(hipStream_t* stream);
SIMT_API hipError_t hipStreamCreateWithFlags(hipStream_t* stream, unsigned flags);
SIMT_API hipError_t hipStreamCreateWithPriority(hipStream_t* stream, unsigned flags, int priority);
/// The mask of compute units is a hint.
SIMT_API hipError_t hipExtStreamCreateWithCUMask(hipStream_t* stream, uint32_t words, const uint32_t* mask);
/// 0 and 0: this machine has no priorities.
SIMT_API hipError_t hipDeviceGetStreamPriorityRange(int* least, int* greatest);
SIMT_API hipError_t hipStreamDestroy(hipStream_t stream);
SIMT_API hipError_t hipStreamQuery(hipStream_t stream);
SIMT_API hipError_t hipStreamSynchronize(hipStream_t stream);
SIMT_API hipError_t hipStreamWaitEvent(hipStream_t stream, hipEvent_t event, unsigned flags = 0);
SIMT_API hipError_t hipStreamGetFlags(hipStream_t stream, unsigned* flags);
SIMT_API hipError_t hipStreamGetPriority(hipStream_t stream, int* priority);
SIMT_API hipError_t hipStreamGetDevice(hipStream_t stream, hipDevice_t* device);
SIMT_API hipError_t hipStreamAddCallback(hipStream_t stream, hipStreamCallback_t callback, void* data, unsigned flags);
SIMT_API hipError_t hipLaunchHostFunc(hipStream_t stream, hipHostFn_t function, void* data);

// Events.

SIMT_API hipError_t hipEventCreate(hipEvent_t* event);
SIMT_API hipError_t hipEventCreateWithFlags(hipEvent_t* event, unsigned flags);
SIMT_API hipError_t hipEventRecord(hipEvent_t event, hipStream_t stream = nullptr);
SIMT_API hipError_t hipEventSynchronize(hipEvent_t event);
/// hipEventRecordExternal: in a capture as a node of the graph, which records the event at each launch.
SIMT_API hipError_t hipEventRecordWithFlags(hipEvent_t event, hipStream_t stream = nullptr, unsigned flags = 0);
SIMT_API hipError_t hipEventQuery(hipEvent_t event);
/// Milliseconds between two recorded events, by a clock of nanoseconds.
SIMT_API hipError_t hipEventElapsedTime(float* milliseconds, hipEvent_t begin, hipEvent_t end);
SIMT_API hipError_t hipEventDestroy(hipEvent_t event);

// Functions.

SIMT_API hipError_t hipFuncGetAttributes(hipFuncAttributes* attributes, const void* function);
SIMT_API hipError_t hipFuncSetAttribute(const void* function, hipFuncAttribute attribute, int value);
SIMT_API hipError_t hipFuncSetCacheConfig(const void* function, hipFuncCache_t config);
SIMT_API hipError_t hipFuncSetSharedMemConfig(const void* function, hipSharedMemConfig config);

/// As many blocks as 2048 threads and 64 KiB of shared memory hold, and 32 at most.
SIMT_API hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function, int block_size,
                                                                 size_t shared_bytes);
SIMT_API hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* function,
                                                                          int block_size, size_t shared_bytes,
                                                                          unsigned flags);
SIMT_API hipError_t hipOccupancyMaxPotentialBlockSize(int* grid_size, int* block_size, const void* function,
                                                      size_t shared_bytes = 0, int block_size_limit = 0);

}  // namespace hip_on_cpu

#include "hip/detail/array_api.h"
#include "hip/detail/derived_api.h"
#include "hip/detail/driver_textures.h"
#include "hip/detail/function_lookup.h"
#include "hip/detail/graph_api.h"
#include "hip/detail/launch.h"
#include "hip/detail/memory_pools.h"
#include "hip/detail/node_parameters.h"
#include "hip/detail/refused_names.h"
#include "hip/detail/stream_values.h"
#include "hip/detail/texture_api.h"
#include "hip/detail/typed_api.h"
#include "hip/detail/virtual_memory.h"
