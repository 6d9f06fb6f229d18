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
#define CU_MEM_LOCATION_TYPE_HOST cudaMemLocationTypeHost
// Memory is compressed nowhere here: allocFlags.compressionType of what is created is CU_MEM_ALLOCATION_COMP_NONE.
#define CU_MEM_ALLOCATION_COMP_NONE 0x0
#define CU_MEM_ALLOCATION_COMP_GENERIC 0x1
#define CU_MEM_ACCESS_FLAGS_PROT_NONE hipMemAccessFlagsProtNone
#define CU_MEM_ACCESS_FLAGS_PROT_READ hipMemAccessFlagsProtRead
#define CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED hipDeviceAttributeVirtualMemoryManagementSupported
#define CU_DEVICE_ATTRIBUTE_VIRTUAL_ADDRESS_MANAGEMENT_SUPPORTED hipDeviceAttributeVirtualMemoryManagementSupported

SIMT_DRIVER_CALL(cuMemGetAllocationGranularity, hipMemGetAllocationGranularity)
SIMT_DRIVER_CALL(cuMemCreate, hipMemCreate)
SIMT_DRIVER_CALL(cuMemRelease, hipMemRelease)
SIMT_DRIVER_CALL(cuMemRetainAllocationHandle, hipMemRetainAllocationHandle)
SIMT_DRIVER_CALL(cuMemGetAllocationPropertiesFromHandle, hipMemGetAllocationPropertiesFromHandle)
SIMT_DRIVER_CALL(cuMemExportToShareableHandle, hipMemExportToShareableHandle)
SIMT_DRIVER_CALL(cuMemImportFromShareableHandle, hipMemImportFromShareableHandle)

inline CUresult cuMemAddressReserve(CUdeviceptr* address, size_t bytes, size_t alignment, CUdeviceptr wanted,
                                    unsigned long long flags) {
  return simt::give_address(address, [&](void** pointer) {
    return hipMemAddressReserve(pointer, bytes, alignment, simt::pointer_of(wanted), flags);
  });
}
inline CUresult cuMemAddressFree(CUdeviceptr address, size_t bytes) {
  return simt::driver_result(hipMemAddressFree(simt::pointer_of(address), bytes));
}
inline CUresult cuMemMap(CUdeviceptr address, size_t bytes, size_t offset, CUmemGenericAllocationHandle handle,
                         unsigned long long flags) {
  return simt::driver_result(hipMemMap(simt::pointer_of(address), bytes, offset, handle, flags));
}
inline CUresult cuMemUnmap(CUdeviceptr address, size_t bytes) {
  return simt::driver_result(hipMemUnmap(simt::pointer_of(address), bytes));
}
inline CUresult cuMemSetAccess(CUdeviceptr address, size_t bytes, const CUmemAccessDesc* accesses, size_t count) {
  return simt::driver_result(hipMemSetAccess(simt::pointer_of(address), bytes, accesses, count));
}
inline CUresult cuMemGetAccess(unsigned long long* flags, const CUmemLocation* location, CUdeviceptr address) {
  return simt::driver_result(hipMemGetAccess(flags, location, simt::pointer_of(address)));
}
