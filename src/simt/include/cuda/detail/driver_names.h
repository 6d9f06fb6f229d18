// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CUDA driver's names for devices, contexts, modules, memory, streams and events. Most stand for one of HIP's; an
// address is a number to the driver, and a pointer to HIP.
#pragma once

#include "cuda/detail/language.h"

#include "cuda/detail/device_attributes.h"
#include "cuda/detail/driver_errors.h"
#include "cuda/detail/memory_places.h"
#include "hip/hip_runtime_api.h"

typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef hipStream_t CUstream;
typedef hipEvent_t CUevent;
typedef hipCtx_t CUcontext;
typedef hipModule_t CUmodule;
typedef hipFunction_t CUfunction;
typedef hipDeviceAttribute_t CUdevice_attribute;
typedef hipFunction_attribute CUfunction_attribute;
typedef hipFuncCache_t CUfunc_cache;
typedef hipMemPool_t CUmemoryPool;
typedef hipMemPoolAttr CUmemPool_attribute;
typedef hipMemPoolProps CUmemPoolProps;
typedef hipMemAccessDesc CUmemAccessDesc;
typedef hipJitOption CUjit_option;
typedef size_t (*CUoccupancyB2DSize)(int threads);
typedef hipDriverProcAddressQueryResult CUdriverProcAddressQueryResult;
typedef uint32_t cuuint32_t;
typedef uint64_t cuuint64_t;

#define CU_LAUNCH_PARAM_BUFFER_POINTER HIP_LAUNCH_PARAM_BUFFER_POINTER
#define CU_LAUNCH_PARAM_BUFFER_SIZE HIP_LAUNCH_PARAM_BUFFER_SIZE
#define CU_LAUNCH_PARAM_END HIP_LAUNCH_PARAM_END

// Devices and contexts.

SIMT_DRIVER_CALL(cuInit, hipInit)
SIMT_DRIVER_CALL(cuDriverGetVersion, hipDriverGetVersion)
SIMT_DRIVER_CALL(cuDeviceGet, hipDeviceGet)
SIMT_DRIVER_CALL(cuDeviceGetCount, hipGetDeviceCount)
SIMT_DRIVER_CALL(cuDeviceGetName, hipDeviceGetName)
SIMT_DRIVER_CALL(cuDeviceTotalMem, hipDeviceTotalMem)
SIMT_DRIVER_CALL(cuDeviceComputeCapability, hipDeviceComputeCapability)
SIMT_DRIVER_CALL(cuDeviceGetAttribute, cudaDeviceGetAttribute)
SIMT_DRIVER_CALL(cuDeviceGetPCIBusId, hipDeviceGetPCIBusId)
SIMT_DRIVER_CALL(cuDeviceCanAccessPeer, hipDeviceCanAccessPeer)
SIMT_DRIVER_CALL(cuDeviceGetP2PAttribute, hipDeviceGetP2PAttribute)
SIMT_DRIVER_CALL(cuDeviceGetByPCIBusId, hipDeviceGetByPCIBusId)
SIMT_DRIVER_CALL(cuDevicePrimaryCtxGetState, hipDevicePrimaryCtxGetState)
SIMT_DRIVER_CALL(cuDevicePrimaryCtxSetFlags, hipDevicePrimaryCtxSetFlags)
SIMT_DRIVER_CALL(cuCtxEnablePeerAccess, hipCtxEnablePeerAccess)
SIMT_DRIVER_CALL(cuCtxDisablePeerAccess, hipCtxDisablePeerAccess)
SIMT_DRIVER_CALL(cuCtxGetFlags, hipCtxGetFlags)
SIMT_DRIVER_CALL(cuCtxGetLimit, hipDeviceGetLimit)
SIMT_DRIVER_CALL(cuCtxResetPersistingL2Cache, cudaCtxResetPersistingL2Cache)
typedef hipLimit_t CUlimit;
#define CU_LIMIT_STACK_SIZE hipLimitStackSize
#define CU_LIMIT_PRINTF_FIFO_SIZE hipLimitPrintfFifoSize
#define CU_LIMIT_MALLOC_HEAP_SIZE hipLimitMallocHeapSize
#define CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT cudaLimitDevRuntimePendingLaunchCount
#define CU_LIMIT_MAX_L2_FETCH_GRANULARITY cudaLimitMaxL2FetchGranularity
#define CU_LIMIT_PERSISTING_L2_CACHE_SIZE cudaLimitPersistingL2CacheSize
inline CUresult cuCtxSetLimit(CUlimit limit, size_t value) {
  return simt::driver_result(hipDeviceSetLimit(limit, value));
}
typedef hipDeviceP2PAttr CUdevice_P2PAttribute;
#define CU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK hipDevP2PAttrPerformanceRank
#define CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED hipDevP2PAttrAccessSupported
#define CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED hipDevP2PAttrNativeAtomicSupported
#define CU_DEVICE_P2P_ATTRIBUTE_CUDA_ARRAY_ACCESS_SUPPORTED hipDevP2PAttrHipArrayAccessSupported
SIMT_DRIVER_CALL(cuDevicePrimaryCtxRetain, hipDevicePrimaryCtxRetain)
SIMT_DRIVER_CALL(cuDevicePrimaryCtxRelease, hipDevicePrimaryCtxRelease)
SIMT_DRIVER_CALL(cuDevicePrimaryCtxReset, hipDevicePrimaryCtxReset)
SIMT_DRIVER_CALL(cuCtxDestroy, hipCtxDestroy)
SIMT_DRIVER_CALL(cuCtxSetCurrent, hipCtxSetCurrent)
SIMT_DRIVER_CALL(cuCtxGetCurrent, hipCtxGetCurrent)
SIMT_DRIVER_CALL(cuCtxPushCurrent, hipCtxPushCurrent)
SIMT_DRIVER_CALL(cuCtxPopCurrent, hipCtxPopCurrent)
SIMT_DRIVER_CALL(cuCtxGetDevice, hipCtxGetDevice)
SIMT_DRIVER_CALL(cuCtxSynchronize, hipCtxSynchronize)
SIMT_DRIVER_CALL(cuGetProcAddress, hipGetProcAddress)
#define CU_GET_PROC_ADDRESS_DEFAULT hipEnableDefault
#define CU_GET_PROC_ADDRESS_LEGACY_STREAM hipEnableLegacyStream
#define CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM hipEnablePerThreadDefaultStream
#define CU_GET_PROC_ADDRESS_SUCCESS HIP_GET_PROC_ADDRESS_SUCCESS
#define CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND HIP_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND
#define CU_CTX_SCHED_AUTO hipDeviceScheduleAuto
#define CU_CTX_SCHED_SPIN hipDeviceScheduleSpin
#define CU_CTX_SCHED_YIELD hipDeviceScheduleYield
#define CU_CTX_SCHED_BLOCKING_SYNC hipDeviceScheduleBlockingSync
#define CU_CTX_MAP_HOST hipDeviceMapHost
#define CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK hipDeviceAttributeMaxThreadsPerBlock
#define CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X hipDeviceAttributeMaxBlockDimX
#define CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X hipDeviceAttributeMaxGridDimX
#define CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK hipDeviceAttributeMaxSharedMemoryPerBlock
#define CU_DEVICE_ATTRIBUTE_WARP_SIZE hipDeviceAttributeWarpSize
#define CU_DEVICE_ATTRIBUTE_CLOCK_RATE hipDeviceAttributeClockRate
#define CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT hipDeviceAttributeMultiprocessorCount
#define CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR hipDeviceAttributeComputeCapabilityMajor
#define CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR hipDeviceAttributeComputeCapabilityMinor
#define CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING hipDeviceAttributeUnifiedAddressing
#define CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY hipDeviceAttributeManagedMemory
#define CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH hipDeviceAttributeCooperativeLaunch
#define CU_DEVICE_ATTRIBUTE_COMPUTE_MODE hipDeviceAttributeComputeMode
#define CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS hipDeviceAttributeConcurrentKernels
#define CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS hipDeviceAttributeConcurrentManagedAccess
#define CU_DEVICE_ATTRIBUTE_INTEGRATED hipDeviceAttributeIntegrated
#define CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE hipDeviceAttributeL2CacheSize
#define CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y hipDeviceAttributeMaxBlockDimY
#define CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z hipDeviceAttributeMaxBlockDimZ
#define CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y hipDeviceAttributeMaxGridDimY
#define CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z hipDeviceAttributeMaxGridDimZ
#define CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR hipDeviceAttributeMaxThreadsPerMultiProcessor
#define CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE hipDeviceAttributeMemoryClockRate
#define CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH hipDeviceAttributeMemoryBusWidth
#define CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT hipDeviceAttributeAsyncEngineCount
#define CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY hipDeviceAttributeCanMapHostMemory
#define CU_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM hipDeviceAttributeCanUseHostPointerForRegisteredMem
#define CU_DEVICE_ATTRIBUTE_COMPUTE_PREEMPTION_SUPPORTED hipDeviceAttributeComputePreemptionSupported
#define CU_DEVICE_ATTRIBUTE_COOPERATIVE_MULTI_DEVICE_LAUNCH hipDeviceAttributeCooperativeMultiDeviceLaunch
#define CU_DEVICE_ATTRIBUTE_DIRECT_MANAGED_MEM_ACCESS_FROM_HOST hipDeviceAttributeDirectManagedMemAccessFromHost
#define CU_DEVICE_ATTRIBUTE_ECC_ENABLED hipDeviceAttributeEccEnabled
#define CU_DEVICE_ATTRIBUTE_GLOBAL_L1_CACHE_SUPPORTED hipDeviceAttributeGlobalL1CacheSupported
#define CU_DEVICE_ATTRIBUTE_GPU_OVERLAP hipDeviceAttributeDeviceOverlap
#define CU_DEVICE_ATTRIBUTE_HOST_NATIVE_ATOMIC_SUPPORTED hipDeviceAttributeHostNativeAtomicSupported
#define CU_DEVICE_ATTRIBUTE_HOST_REGISTER_SUPPORTED hipDeviceAttributeHostRegisterSupported
#define CU_DEVICE_ATTRIBUTE_KERNEL_EXEC_TIMEOUT hipDeviceAttributeKernelExecTimeout
#define CU_DEVICE_ATTRIBUTE_LOCAL_L1_CACHE_SUPPORTED hipDeviceAttributeLocalL1CacheSupported
#define CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_WIDTH hipDeviceAttributeMaxSurface1D
#define CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LINEAR_WIDTH hipDeviceAttributeMaxTexture1DLinear
#define CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_WIDTH hipDeviceAttributeMaxTexture1DWidth
#define CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_HEIGHT hipDeviceAttributeMaxTexture2DHeight
#define CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH hipDeviceAttributeMaxTexture2DWidth
#define CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH hipDeviceAttributeMaxTexture3DDepth
#define CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT hipDeviceAttributeMaxTexture3DHeight
#define CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH hipDeviceAttributeMaxTexture3DWidth
#define CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR hipDeviceAttributeMaxBlocksPerMultiProcessor
#define CU_DEVICE_ATTRIBUTE_MAX_PITCH hipDeviceAttributeMaxPitch
#define CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK hipDeviceAttributeMaxRegistersPerBlock
#define CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR hipDeviceAttributeMaxRegistersPerMultiprocessor
#define CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN hipDeviceAttributeSharedMemPerBlockOptin
#define CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR hipDeviceAttributeMaxSharedMemoryPerMultiprocessor
#define CU_DEVICE_ATTRIBUTE_MULTI_GPU_BOARD hipDeviceAttributeIsMultiGpuBoard
#define CU_DEVICE_ATTRIBUTE_MULTI_GPU_BOARD_GROUP_ID hipDeviceAttributeMultiGpuBoardGroupID
#define CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS hipDeviceAttributePageableMemoryAccess
#define CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES \
  hipDeviceAttributePageableMemoryAccessUsesHostPageTables
#define CU_DEVICE_ATTRIBUTE_PCI_BUS_ID hipDeviceAttributePciBusId
#define CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID hipDeviceAttributePciDeviceId
#define CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID hipDeviceAttributePciDomainID
#define CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK hipDeviceAttributeReservedSharedMemPerBlock
#define CU_DEVICE_ATTRIBUTE_SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO hipDeviceAttributeSingleToDoublePrecisionPerfRatio
#define CU_DEVICE_ATTRIBUTE_STREAM_PRIORITIES_SUPPORTED hipDeviceAttributeStreamPrioritiesSupported
#define CU_DEVICE_ATTRIBUTE_SURFACE_ALIGNMENT hipDeviceAttributeSurfaceAlignment
#define CU_DEVICE_ATTRIBUTE_TCC_DRIVER hipDeviceAttributeTccDriver
#define CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT hipDeviceAttributeTextureAlignment
#define CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT hipDeviceAttributeTexturePitchAlignment
#define CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY hipDeviceAttributeTotalConstantMemory
#define CU_COMPUTEMODE_DEFAULT hipComputeModeDefault
#define CU_COMPUTEMODE_PROHIBITED hipComputeModeProhibited
#define CU_COMPUTEMODE_EXCLUSIVE_PROCESS hipComputeModeExclusiveProcess

// Modules and launches.

SIMT_DRIVER_CALL(cuModuleLoad, hipModuleLoad)
SIMT_DRIVER_CALL(cuModuleLoadData, hipModuleLoadData)
SIMT_DRIVER_CALL(cuModuleLoadDataEx, hipModuleLoadDataEx)
SIMT_DRIVER_CALL(cuModuleUnload, hipModuleUnload)
SIMT_DRIVER_CALL(cuModuleGetFunction, hipModuleGetFunction)
SIMT_DRIVER_CALL(cuFuncGetAttribute, hipFuncGetAttribute)
SIMT_DRIVER_CALL(cuLaunchKernel, hipModuleLaunchKernel)
SIMT_DRIVER_CALL(cuLaunchCooperativeKernel, hipModuleLaunchCooperativeKernel)
SIMT_DRIVER_CALL(cuOccupancyMaxActiveBlocksPerMultiprocessor, hipModuleOccupancyMaxActiveBlocksPerMultiprocessor)
#define CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK
#define CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES HIP_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES
#define CU_FUNC_ATTRIBUTE_NUM_REGS HIP_FUNC_ATTRIBUTE_NUM_REGS
#define CU_JIT_MAX_REGISTERS hipJitOptionMaxRegisters
#define CU_JIT_INFO_LOG_BUFFER hipJitOptionInfoLogBuffer
#define CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES hipJitOptionInfoLogBufferSizeBytes
#define CU_JIT_ERROR_LOG_BUFFER hipJitOptionErrorLogBuffer
#define CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES hipJitOptionErrorLogBufferSizeBytes

// Streams and events.

SIMT_DRIVER_CALL(cuStreamCreate, hipStreamCreateWithFlags)
SIMT_DRIVER_CALL(cuStreamDestroy, hipStreamDestroy)
SIMT_DRIVER_CALL(cuStreamSynchronize, hipStreamSynchronize)
SIMT_DRIVER_CALL(cuStreamQuery, hipStreamQuery)
SIMT_DRIVER_CALL(cuStreamWaitEvent, hipStreamWaitEvent)
SIMT_DRIVER_CALL(cuEventCreate, hipEventCreateWithFlags)
SIMT_DRIVER_CALL(cuEventDestroy, hipEventDestroy)
SIMT_DRIVER_CALL(cuEventRecord, hipEventRecord)
SIMT_DRIVER_CALL(cuEventSynchronize, hipEventSynchronize)
SIMT_DRIVER_CALL(cuEventQuery, hipEventQuery)
SIMT_DRIVER_CALL(cuEventElapsedTime, hipEventElapsedTime)
#define CU_STREAM_DEFAULT hipStreamDefault
#define CU_STREAM_WRITE_VALUE_DEFAULT 0
#define CU_STREAM_WAIT_VALUE_GEQ hipStreamWaitValueGte
#define CU_STREAM_WAIT_VALUE_EQ hipStreamWaitValueEq
#define CU_STREAM_WAIT_VALUE_AND hipStreamWaitValueAnd
#define CU_STREAM_WAIT_VALUE_NOR hipStreamWaitValueNor
#define CUstreamBatchMemOpType hipStreamBatchMemOpType
#define CU_STREAM_MEM_OP_WAIT_VALUE_32 hipStreamMemOpWaitValue32
#define CU_STREAM_MEM_OP_WRITE_VALUE_32 hipStreamMemOpWriteValue32
#define CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES hipStreamMemOpFlushRemoteWrites
#define CU_STREAM_MEM_OP_WAIT_VALUE_64 hipStreamMemOpWaitValue64
#define CU_STREAM_MEM_OP_WRITE_VALUE_64 hipStreamMemOpWriteValue64
#define CU_STREAM_MEM_OP_BARRIER hipStreamMemOpBarrier
#define CU_STREAM_NON_BLOCKING hipStreamNonBlocking
#define CU_EVENT_DEFAULT hipEventDefault
#define CU_EVENT_BLOCKING_SYNC hipEventBlockingSync
#define CU_EVENT_DISABLE_TIMING hipEventDisableTiming

// Memory.

SIMT_DRIVER_CALL(cuMemGetInfo, hipMemGetInfo)
SIMT_DRIVER_CALL(cuMemAllocHost, hipMemAllocHost)
SIMT_DRIVER_CALL(cuMemFreeHost, hipFreeHost)
SIMT_DRIVER_CALL(cuDeviceGetDefaultMemPool, hipDeviceGetDefaultMemPool)
SIMT_DRIVER_CALL(cuDeviceGetMemPool, hipDeviceGetMemPool)
SIMT_DRIVER_CALL(cuDeviceSetMemPool, hipDeviceSetMemPool)
SIMT_DRIVER_CALL(cuMemPoolCreate, hipMemPoolCreate)
SIMT_DRIVER_CALL(cuMemPoolDestroy, hipMemPoolDestroy)
SIMT_DRIVER_CALL(cuMemPoolGetAttribute, hipMemPoolGetAttribute)
SIMT_DRIVER_CALL(cuMemPoolSetAttribute, hipMemPoolSetAttribute)
SIMT_DRIVER_CALL(cuMemPoolTrimTo, hipMemPoolTrimTo)
SIMT_DRIVER_CALL(cuMemPoolSetAccess, hipMemPoolSetAccess)
#define CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES hipMemPoolReuseFollowEventDependencies
#define CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC hipMemPoolReuseAllowOpportunistic
#define CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES hipMemPoolReuseAllowInternalDependencies
#define CU_MEMPOOL_ATTR_RELEASE_THRESHOLD hipMemPoolAttrReleaseThreshold
#define CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT hipMemPoolAttrReservedMemCurrent
#define CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH hipMemPoolAttrReservedMemHigh
#define CU_MEMPOOL_ATTR_USED_MEM_CURRENT hipMemPoolAttrUsedMemCurrent
#define CU_MEMPOOL_ATTR_USED_MEM_HIGH hipMemPoolAttrUsedMemHigh
#define CU_MEM_ALLOCATION_TYPE_PINNED hipMemAllocationTypePinned
#define CU_MEM_LOCATION_TYPE_DEVICE hipMemLocationTypeDevice
#define CU_MEM_HANDLE_TYPE_NONE hipMemHandleTypeNone
#define CU_MEM_ACCESS_FLAGS_PROT_READWRITE hipMemAccessFlagsProtReadWrite
#define CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED hipDeviceAttributeMemoryPoolsSupported
#define CU_MEM_ATTACH_GLOBAL hipMemAttachGlobal
#define CU_MEM_ATTACH_HOST hipMemAttachHost

/// What CUDA 13 asks for; there is nothing here that it could choose.
struct CUctxCreateParams {
  void* execAffinityParams;
  int numExecAffinityParams;
  void* cigParams;
};

inline CUresult cuCtxCreate(CUcontext* context, unsigned flags, CUdevice device) {
  return simt::driver_result(hipCtxCreate(context, flags, device));
}
inline CUresult cuCtxCreate(CUcontext* context, CUctxCreateParams* /*parameters*/, unsigned flags, CUdevice device) {
  return simt::driver_result(hipCtxCreate(context, flags, device));
}

/// A block's shared memory cannot depend on its size here.
inline CUresult cuOccupancyMaxPotentialBlockSize(int* grid_size, int* block_size, CUfunction function,
                                                 CUoccupancyB2DSize shared_bytes_of, size_t shared_bytes,
                                                 int block_size_limit) {
  if (shared_bytes_of != nullptr) return CUDA_ERROR_NOT_SUPPORTED;
  return simt::driver_result(
      hipModuleOccupancyMaxPotentialBlockSize(grid_size, block_size, function, shared_bytes, block_size_limit));
}

namespace simt {

inline void* pointer_of(CUdeviceptr address) { return reinterpret_cast<void*>(address); }

/// An address as the driver has it, from a call that gives a pointer.
template <class _Call>
CUresult give_address(CUdeviceptr* address, _Call call) {
  if (address == nullptr) return CUDA_ERROR_INVALID_VALUE;
  void* pointer = nullptr;
  const CUresult code = driver_result(call(&pointer));
  if (code == CUDA_SUCCESS) *address = reinterpret_cast<CUdeviceptr>(pointer);
  return code;
}

}  // namespace simt

inline CUresult cuMemAlloc(CUdeviceptr* address, size_t bytes) {
  return simt::give_address(address, [&](void** pointer) { return hipMalloc(pointer, bytes); });
}
inline CUresult cuMemAllocManaged(CUdeviceptr* address, size_t bytes, unsigned flags) {
  return simt::give_address(address, [&](void** pointer) { return hipMallocManaged(pointer, bytes, flags); });
}
inline CUresult cuMemHostAlloc(void** pointer, size_t bytes, unsigned flags) {
  return simt::driver_result(hipHostAlloc(pointer, bytes, flags));
}
inline CUresult cuMemFree(CUdeviceptr address) { return simt::driver_result(hipFree(simt::pointer_of(address))); }
inline CUresult cuMemAllocAsync(CUdeviceptr* address, size_t bytes, CUstream stream) {
  return simt::give_address(address, [&](void** pointer) { return hipMallocAsync(pointer, bytes, stream); });
}
inline CUresult cuMemAllocFromPoolAsync(CUdeviceptr* address, size_t bytes, CUmemoryPool pool, CUstream stream) {
  return simt::give_address(address,
                            [&](void** pointer) { return hipMallocFromPoolAsync(pointer, bytes, pool, stream); });
}
inline CUresult cuMemFreeAsync(CUdeviceptr address, CUstream stream) {
  return simt::driver_result(hipFreeAsync(simt::pointer_of(address), stream));
}
inline CUresult cuMemHostGetDevicePointer(CUdeviceptr* address, void* host, unsigned flags) {
  return simt::give_address(address, [&](void** pointer) { return hipHostGetDevicePointer(pointer, host, flags); });
}
inline CUresult cuModuleGetGlobal(CUdeviceptr* address, size_t* bytes, CUmodule module, const char* name) {
  if (address == nullptr) return simt::driver_result(hipModuleGetGlobal(nullptr, bytes, module, name));
  return simt::give_address(address, [&](void** pointer) { return hipModuleGetGlobal(pointer, bytes, module, name); });
}

inline CUresult cuMemPrefetchAsync(CUdeviceptr address, size_t bytes, CUdevice device, CUstream stream) {
  return simt::driver_result(hipMemPrefetchAsync(simt::pointer_of(address), bytes, device, stream));
}
inline CUresult cuMemPrefetchAsync(CUdeviceptr address, size_t bytes, hipMemLocation location, unsigned flags,
                                   CUstream stream) {
  return simt::driver_result(cudaMemPrefetchAsync(simt::pointer_of(address), bytes, location, flags, stream));
}
typedef hipMemoryAdvise CUmem_advise;
#define CU_MEM_ADVISE_SET_READ_MOSTLY hipMemAdviseSetReadMostly
#define CU_MEM_ADVISE_UNSET_READ_MOSTLY hipMemAdviseUnsetReadMostly
#define CU_MEM_ADVISE_SET_PREFERRED_LOCATION hipMemAdviseSetPreferredLocation
#define CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION hipMemAdviseUnsetPreferredLocation
#define CU_MEM_ADVISE_SET_ACCESSED_BY hipMemAdviseSetAccessedBy
#define CU_MEM_ADVISE_UNSET_ACCESSED_BY hipMemAdviseUnsetAccessedBy
#define CU_DEVICE_CPU hipCpuDeviceId
inline CUresult cuMemAdvise(CUdeviceptr address, size_t bytes, CUmem_advise advice, CUdevice device) {
  return simt::driver_result(hipMemAdvise(simt::pointer_of(address), bytes, advice, device));
}
inline CUresult cuMemAdvise(CUdeviceptr address, size_t bytes, CUmem_advise advice, hipMemLocation location) {
  return simt::driver_result(cudaMemAdvise(simt::pointer_of(address), bytes, advice, location));
}

inline CUresult cuMemcpyHtoD(CUdeviceptr target, const void* source, size_t bytes) {
  return simt::driver_result(hipMemcpyHtoD(simt::pointer_of(target), const_cast<void*>(source), bytes));
}
inline CUresult cuMemcpyDtoH(void* target, CUdeviceptr source, size_t bytes) {
  return simt::driver_result(hipMemcpyDtoH(target, simt::pointer_of(source), bytes));
}
inline CUresult cuMemcpyDtoD(CUdeviceptr target, CUdeviceptr source, size_t bytes) {
  return simt::driver_result(hipMemcpyDtoD(simt::pointer_of(target), simt::pointer_of(source), bytes));
}
inline CUresult cuMemcpyHtoDAsync(CUdeviceptr target, const void* source, size_t bytes, CUstream stream) {
  return simt::driver_result(hipMemcpyHtoDAsync(simt::pointer_of(target), const_cast<void*>(source), bytes, stream));
}
inline CUresult cuMemcpyDtoHAsync(void* target, CUdeviceptr source, size_t bytes, CUstream stream) {
  return simt::driver_result(hipMemcpyDtoHAsync(target, simt::pointer_of(source), bytes, stream));
}
inline CUresult cuMemcpyDtoDAsync(CUdeviceptr target, CUdeviceptr source, size_t bytes, CUstream stream) {
  return simt::driver_result(hipMemcpyDtoDAsync(simt::pointer_of(target), simt::pointer_of(source), bytes, stream));
}
inline CUresult cuMemsetD8(CUdeviceptr target, unsigned char value, size_t count) {
  return simt::driver_result(hipMemsetD8(simt::pointer_of(target), value, count));
}
inline CUresult cuMemsetD16(CUdeviceptr target, unsigned short value, size_t count) {
  return simt::driver_result(hipMemsetD16(simt::pointer_of(target), value, count));
}
inline CUresult cuMemsetD32(CUdeviceptr target, unsigned value, size_t count) {
  return simt::driver_result(hipMemsetD32(simt::pointer_of(target), static_cast<int>(value), count));
}
inline CUresult cuStreamWriteValue32(CUstream stream, CUdeviceptr address, cuuint32_t value, unsigned flags) {
  return simt::driver_result(hipStreamWriteValue32(stream, simt::pointer_of(address), value, flags));
}
inline CUresult cuStreamWriteValue64(CUstream stream, CUdeviceptr address, cuuint64_t value, unsigned flags) {
  return simt::driver_result(hipStreamWriteValue64(stream, simt::pointer_of(address), value, flags));
}
inline CUresult cuStreamWaitValue32(CUstream stream, CUdeviceptr address, cuuint32_t value, unsigned condition) {
  return simt::driver_result(hipStreamWaitValue32(stream, simt::pointer_of(address), value, condition));
}
inline CUresult cuStreamWaitValue64(CUstream stream, CUdeviceptr address, cuuint64_t value, unsigned condition) {
  return simt::driver_result(hipStreamWaitValue64(stream, simt::pointer_of(address), value, condition));
}
using CUstreamBatchMemOpParams = simt::stream_operation<CUdeviceptr>;
inline CUresult cuStreamBatchMemOp(CUstream stream, unsigned count, CUstreamBatchMemOpParams* operations,
                                   unsigned flags) {
  return simt::driver_result(
      hipStreamBatchMemOp(stream, count, reinterpret_cast<hipStreamBatchMemOpParams*>(operations), flags));
}

#include "cuda/detail/array_names.h"
#include "cuda/detail/virtual_memory_names.h"
