// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CUDA driver's names for memory apart from addresses. An address is a number to the driver.
#pragma once

#include "hip/hip_runtime_api.h"

typedef hipMemGenericAllocationHandle_t CUmemGenericAllocationHandle;
typedef hipMemAllocationProp CUmemAllocationProp;
typedef hipMemAllocationGranularity_flags CUmemAllocationGranularity_flags;
typedef hipMemAllocationHandleType CUmemAllocationHandleType;
typedef hipMemAllocationType CUmemAllocationType;
typedef hipMemLocation CUmemLocation;
typedef hipMemLocationType CUmemLocationType;
typedef hipMemAccessFlags CUmemAccess_flags;

#define CU_MEM_ALLOC_GRANULARITY_MINIMUM hipMemAllocationGranularityMinimum
#define CU_MEM_ALLOC_GRANULARITY_RECOMMENDED hipMemAllocationGranularityRecommended
#define CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR hipMemHandleTypePosixFileDescriptor
#define CU_MEM_ACCESS_FLAGS_PROT_NONE hipMemAccessFlagsProtNone
#define CU_MEM_ACCESS_FLAGS_PROT_READ hipMemAccessFlagsProtRead
#define CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED hipDeviceAttributeVirtualMemoryManagementSupported
#define CU_DEVICE_ATTRIBUTE_VIRTUAL_ADDRESS_MANAGEMENT_SUPPORTED hipDeviceAttributeVirtualMemoryManagementSupported

#define cuMemGetAllocationGranularity hipMemGetAllocationGranularity
#define cuMemCreate hipMemCreate
#define cuMemRelease hipMemRelease
#define cuMemRetainAllocationHandle hipMemRetainAllocationHandle
#define cuMemGetAllocationPropertiesFromHandle hipMemGetAllocationPropertiesFromHandle
#define cuMemExportToShareableHandle hipMemExportToShareableHandle
#define cuMemImportFromShareableHandle hipMemImportFromShareableHandle

inline hipError_t cuMemAddressReserve(CUdeviceptr* address, size_t bytes, size_t alignment, CUdeviceptr wanted,
                                      unsigned long long flags) {
  return simt::give_address(address, [&](void** pointer) {
    return hipMemAddressReserve(pointer, bytes, alignment, simt::pointer_of(wanted), flags);
  });
}
inline hipError_t cuMemAddressFree(CUdeviceptr address, size_t bytes) {
  return hipMemAddressFree(simt::pointer_of(address), bytes);
}
inline hipError_t cuMemMap(CUdeviceptr address, size_t bytes, size_t offset, CUmemGenericAllocationHandle handle,
                           unsigned long long flags) {
  return hipMemMap(simt::pointer_of(address), bytes, offset, handle, flags);
}
inline hipError_t cuMemUnmap(CUdeviceptr address, size_t bytes) {
  return hipMemUnmap(simt::pointer_of(address), bytes);
}
inline hipError_t cuMemSetAccess(CUdeviceptr address, size_t bytes, const CUmemAccessDesc* accesses, size_t count) {
  return hipMemSetAccess(simt::pointer_of(address), bytes, accesses, count);
}
inline hipError_t cuMemGetAccess(unsigned long long* flags, const CUmemLocation* location, CUdeviceptr address) {
  return hipMemGetAccess(flags, location, simt::pointer_of(address));
}
