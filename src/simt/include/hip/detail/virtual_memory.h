// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory apart from addresses: addresses are reserved, memory is created, and mapped at some of them.
#pragma once

#include "hip/detail/memory_pools.h"

typedef struct ihipMemGenericAllocationHandle* hipMemGenericAllocationHandle_t;

enum hipMemAllocationGranularity_flags : int {
  hipMemAllocationGranularityMinimum = 0,
  hipMemAllocationGranularityRecommended = 1
};

enum hipMemHandleType : int { hipMemHandleTypeGeneric = 0 };
enum hipMemOperationType : int { hipMemOperationTypeMap = 1, hipMemOperationTypeUnmap = 2 };

struct hipMemAllocationProp {
  hipMemAllocationType type;
  union {
    hipMemAllocationHandleType requestedHandleType;
    hipMemAllocationHandleType requestedHandleTypes;  // CUDA's
  };
  hipMemLocation location;
  void* win32HandleMetaData;
  struct {
    unsigned char compressionType;
    unsigned char gpuDirectRDMACapable;
    unsigned short usage;
  } allocFlags;
};

inline namespace hip_on_cpu {

/// What sizes and addresses of the calls below are multiples of: 4096 at least, and 2 MiB by NVIDIA's rules.
SIMT_API hipError_t hipMemGetAllocationGranularity(size_t* granularity, const hipMemAllocationProp* properties,
                                                   hipMemAllocationGranularity_flags option);

/// Addresses that cannot be accessed until memory is mapped there. From `address` on, if they are free. `alignment`: 0,
/// or a power of two.
SIMT_POOL_API hipError_t hipMemAddressReserve(void** pointer, size_t bytes, size_t alignment, void* address,
                                              unsigned long long flags);
/// As reserved, with nothing mapped there.
SIMT_POOL_API hipError_t hipMemAddressFree(void* pointer, size_t bytes);

/// Memory without an address. It is there until it is released, as often as it was created and retained, and mapped
/// nowhere.
SIMT_POOL_API hipError_t hipMemCreate(hipMemGenericAllocationHandle_t* handle, size_t bytes,
                                      const hipMemAllocationProp* properties, unsigned long long flags);
SIMT_POOL_API hipError_t hipMemRelease(hipMemGenericAllocationHandle_t handle);
/// Of the memory that is mapped at the address.
SIMT_API hipError_t hipMemRetainAllocationHandle(hipMemGenericAllocationHandle_t* handle, void* address);
SIMT_API hipError_t hipMemGetAllocationPropertiesFromHandle(hipMemAllocationProp* properties,
                                                            hipMemGenericAllocationHandle_t handle);

/// The beginning of the memory at reserved addresses where nothing is mapped; it may be mapped elsewhere, too. It
/// cannot be accessed before hipMemSetAccess. The offset has to be 0.
SIMT_POOL_API hipError_t hipMemMap(void* pointer, size_t bytes, size_t offset, hipMemGenericAllocationHandle_t handle,
                                   unsigned long long flags);
/// All that is mapped there, none of it in part.
SIMT_POOL_API hipError_t hipMemUnmap(void* pointer, size_t bytes);
SIMT_POOL_API hipError_t hipMemSetAccess(void* pointer, size_t bytes, const hipMemAccessDesc* accesses, size_t count);
/// A hipMemAccessFlags.
SIMT_API hipError_t hipMemGetAccess(unsigned long long* flags, const hipMemLocation* location, void* pointer);

/// As a file descriptor, for memory that was created with hipMemHandleTypePosixFileDescriptor.
SIMT_API hipError_t hipMemExportToShareableHandle(void* descriptor, hipMemGenericAllocationHandle_t handle,
                                                  hipMemAllocationHandleType type, unsigned long long flags);
/// From a descriptor of this process's memory; `descriptor` is the number. Other processes have memory of their own.
SIMT_API hipError_t hipMemImportFromShareableHandle(hipMemGenericAllocationHandle_t* handle, void* descriptor,
                                                    hipMemAllocationHandleType type);

}  // namespace hip_on_cpu
