// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CUDA driver's names for devices, contexts, modules, memory, streams and events. Most stand for one of HIP's; an
// address is a number to the driver, and a pointer to HIP.
#pragma once

#include "cuda/detail/language.h"

#include "hip/hip_runtime_api.h"

typedef hipError_t CUresult;
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

// Results.

#define CUDA_SUCCESS hipSuccess
#define CUDA_ERROR_INVALID_VALUE hipErrorInvalidValue
#define CUDA_ERROR_OUT_OF_MEMORY hipErrorOutOfMemory
#define CUDA_ERROR_NOT_INITIALIZED hipErrorNotInitialized
#define CUDA_ERROR_DEINITIALIZED hipErrorDeinitialized
#define CUDA_ERROR_NO_DEVICE hipErrorNoDevice
#define CUDA_ERROR_INVALID_DEVICE hipErrorInvalidDevice
#define CUDA_ERROR_INVALID_IMAGE hipErrorInvalidImage
#define CUDA_ERROR_INVALID_CONTEXT hipErrorInvalidContext
#define CUDA_ERROR_FILE_NOT_FOUND hipErrorFileNotFound
#define CUDA_ERROR_INVALID_HANDLE hipErrorInvalidHandle
#define CUDA_ERROR_NOT_FOUND hipErrorNotFound
#define CUDA_ERROR_NOT_READY hipErrorNotReady
#define CUDA_ERROR_LAUNCH_FAILED hipErrorLaunchFailure
#define CUDA_ERROR_ASSERT hipErrorAssert
#define CUDA_ERROR_ILLEGAL_ADDRESS hipErrorIllegalAddress
#define CUDA_ERROR_INVALID_PTX hipErrorInvalidKernelFile
#define CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES hipErrorLaunchOutOfResources
#define CUDA_ERROR_LAUNCH_TIMEOUT hipErrorLaunchTimeOut
#define CUDA_ERROR_NOT_SUPPORTED hipErrorNotSupported
#define CUDA_ERROR_UNKNOWN hipErrorUnknown

// Devices and contexts.

#define cuInit hipInit
#define cuDriverGetVersion hipDriverGetVersion
#define cuDeviceGet hipDeviceGet
#define cuDeviceGetCount hipGetDeviceCount
#define cuDeviceGetName hipDeviceGetName
#define cuDeviceTotalMem hipDeviceTotalMem
#define cuDeviceComputeCapability hipDeviceComputeCapability
#define cuDeviceGetAttribute hipDeviceGetAttribute
#define cuDeviceGetPCIBusId hipDeviceGetPCIBusId
#define cuDeviceCanAccessPeer hipDeviceCanAccessPeer
#define cuDevicePrimaryCtxRetain hipDevicePrimaryCtxRetain
#define cuDevicePrimaryCtxRelease hipDevicePrimaryCtxRelease
#define cuDevicePrimaryCtxReset hipDevicePrimaryCtxReset
#define cuCtxDestroy hipCtxDestroy
#define cuCtxSetCurrent hipCtxSetCurrent
#define cuCtxGetCurrent hipCtxGetCurrent
#define cuCtxPushCurrent hipCtxPushCurrent
#define cuCtxPopCurrent hipCtxPopCurrent
#define cuCtxGetDevice hipCtxGetDevice
#define cuCtxSynchronize hipCtxSynchronize
#define cuGetErrorName hipDrvGetErrorName
#define cuGetErrorString hipDrvGetErrorString
#define cuGetProcAddress hipGetProcAddress
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

#define cuModuleLoad hipModuleLoad
#define cuModuleLoadData hipModuleLoadData
#define cuModuleLoadDataEx hipModuleLoadDataEx
#define cuModuleUnload hipModuleUnload
#define cuModuleGetFunction hipModuleGetFunction
#define cuFuncGetAttribute hipFuncGetAttribute
#define cuLaunchKernel hipModuleLaunchKernel
#define cuLaunchCooperativeKernel hipModuleLaunchCooperativeKernel
#define cuOccupancyMaxActiveBlocksPerMultiprocessor hipModuleOccupancyMaxActiveBlocksPerMultiprocessor
#define CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK
#define CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES HIP_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES
#define CU_FUNC_ATTRIBUTE_NUM_REGS HIP_FUNC_ATTRIBUTE_NUM_REGS
#define CU_JIT_MAX_REGISTERS hipJitOptionMaxRegisters
#define CU_JIT_INFO_LOG_BUFFER hipJitOptionInfoLogBuffer
#define CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES hipJitOptionInfoLogBufferSizeBytes
#define CU_JIT_ERROR_LOG_BUFFER hipJitOptionErrorLogBuffer
#define CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES hipJitOptionErrorLogBufferSizeBytes

// Streams and events.

#define cuStreamCreate hipStreamCreateWithFlags
#define cuStreamDestroy hipStreamDestroy
#define cuStreamSynchronize hipStreamSynchronize
#define cuStreamQuery hipStreamQuery
#define cuStreamWaitEvent hipStreamWaitEvent
#define cuEventCreate hipEventCreateWithFlags
#define cuEventDestroy hipEventDestroy
#define cuEventRecord hipEventRecord
#define cuEventSynchronize hipEventSynchronize
#define cuEventQuery hipEventQuery
#define cuEventElapsedTime hipEventElapsedTime
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

#define cuMemGetInfo hipMemGetInfo
#define cuMemAllocHost hipMemAllocHost
#define cuMemHostAlloc hipHostAlloc
#define cuMemFreeHost hipFreeHost
#define cuDeviceGetDefaultMemPool hipDeviceGetDefaultMemPool
#define cuDeviceGetMemPool hipDeviceGetMemPool
#define cuDeviceSetMemPool hipDeviceSetMemPool
#define cuMemPoolCreate hipMemPoolCreate
#define cuMemPoolDestroy hipMemPoolDestroy
#define cuMemPoolGetAttribute hipMemPoolGetAttribute
#define cuMemPoolSetAttribute hipMemPoolSetAttribute
#define cuMemPoolTrimTo hipMemPoolTrimTo
#define cuMemPoolSetAccess hipMemPoolSetAccess
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

inline hipError_t cuCtxCreate(CUcontext* context, unsigned flags, CUdevice device) {
  return hipCtxCreate(context, flags, device);
}
inline hipError_t cuCtxCreate(CUcontext* context, CUctxCreateParams* /*parameters*/, unsigned flags, CUdevice device) {
  return hipCtxCreate(context, flags, device);
}

/// A block's shared memory cannot depend on its size here.
inline hipError_t cuOccupancyMaxPotentialBlockSize(int* grid_size, int* block_size, CUfunction function,
                                                   CUoccupancyB2DSize shared_bytes_of, size_t shared_bytes,
                                                   int block_size_limit) {
  if (shared_bytes_of != nullptr) return hipErrorNotSupported;
  return hipModuleOccupancyMaxPotentialBlockSize(grid_size, block_size, function, shared_bytes, block_size_limit);
}

namespace simt {

inline void* pointer_of(CUdeviceptr address) { return reinterpret_cast<void*>(address); }

/// An address as the driver has it, from a call that gives a pointer.
template <class _Call>
hipError_t give_address(CUdeviceptr* address, _Call call) {
  if (address == nullptr) return hipErrorInvalidValue;
  void* pointer = nullptr;
  const hipError_t code = call(&pointer);
  if (code == hipSuccess) *address = reinterpret_cast<CUdeviceptr>(pointer);
  return code;
}

}  // namespace simt

inline hipError_t cuMemAlloc(CUdeviceptr* address, size_t bytes) {
  return simt::give_address(address, [&](void** pointer) { return hipMalloc(pointer, bytes); });
}
inline hipError_t cuMemAllocManaged(CUdeviceptr* address, size_t bytes, unsigned flags) {
  return simt::give_address(address, [&](void** pointer) { return hipMallocManaged(pointer, bytes, flags); });
}
inline hipError_t cuMemFree(CUdeviceptr address) { return hipFree(simt::pointer_of(address)); }
inline hipError_t cuMemAllocAsync(CUdeviceptr* address, size_t bytes, CUstream stream) {
  return simt::give_address(address, [&](void** pointer) { return hipMallocAsync(pointer, bytes, stream); });
}
inline hipError_t cuMemAllocFromPoolAsync(CUdeviceptr* address, size_t bytes, CUmemoryPool pool, CUstream stream) {
  return simt::give_address(address,
                            [&](void** pointer) { return hipMallocFromPoolAsync(pointer, bytes, pool, stream); });
}
inline hipError_t cuMemFreeAsync(CUdeviceptr address, CUstream stream) {
  return hipFreeAsync(simt::pointer_of(address), stream);
}
inline hipError_t cuMemHostGetDevicePointer(CUdeviceptr* address, void* host, unsigned flags) {
  return simt::give_address(address, [&](void** pointer) { return hipHostGetDevicePointer(pointer, host, flags); });
}
inline hipError_t cuModuleGetGlobal(CUdeviceptr* address, size_t* bytes, CUmodule module, const char* name) {
  if (address == nullptr) return hipModuleGetGlobal(nullptr, bytes, module, name);
  return simt::give_address(address, [&](void** pointer) { return hipModuleGetGlobal(pointer, bytes, module, name); });
}

inline hipError_t cuMemcpyHtoD(CUdeviceptr target, const void* source, size_t bytes) {
  return hipMemcpyHtoD(simt::pointer_of(target), const_cast<void*>(source), bytes);
}
inline hipError_t cuMemcpyDtoH(void* target, CUdeviceptr source, size_t bytes) {
  return hipMemcpyDtoH(target, simt::pointer_of(source), bytes);
}
inline hipError_t cuMemcpyDtoD(CUdeviceptr target, CUdeviceptr source, size_t bytes) {
  return hipMemcpyDtoD(simt::pointer_of(target), simt::pointer_of(source), bytes);
}
inline hipError_t cuMemcpyHtoDAsync(CUdeviceptr target, const void* source, size_t bytes, CUstream stream) {
  return hipMemcpyHtoDAsync(simt::pointer_of(target), const_cast<void*>(source), bytes, stream);
}
inline hipError_t cuMemcpyDtoHAsync(void* target, CUdeviceptr source, size_t bytes, CUstream stream) {
  return hipMemcpyDtoHAsync(target, simt::pointer_of(source), bytes, stream);
}
inline hipError_t cuMemcpyDtoDAsync(CUdeviceptr target, CUdeviceptr source, size_t bytes, CUstream stream) {
  return hipMemcpyDtoDAsync(simt::pointer_of(target), simt::pointer_of(source), bytes, stream);
}
inline hipError_t cuMemsetD8(CUdeviceptr target, unsigned char value, size_t count) {
  return hipMemsetD8(simt::pointer_of(target), value, count);
}
inline hipError_t cuMemsetD16(CUdeviceptr target, unsigned short value, size_t count) {
  return hipMemsetD16(simt::pointer_of(target), value, count);
}
inline hipError_t cuMemsetD32(CUdeviceptr target, unsigned value, size_t count) {
  return hipMemsetD32(simt::pointer_of(target), static_cast<int>(value), count);
}
inline hipError_t cuStreamWriteValue32(CUstream stream, CUdeviceptr address, cuuint32_t value, unsigned flags) {
  return hipStreamWriteValue32(stream, simt::pointer_of(address), value, flags);
}
inline hipError_t cuStreamWriteValue64(CUstream stream, CUdeviceptr address, cuuint64_t value, unsigned flags) {
  return hipStreamWriteValue64(stream, simt::pointer_of(address), value, flags);
}
inline hipError_t cuStreamWaitValue32(CUstream stream, CUdeviceptr address, cuuint32_t value, unsigned condition) {
  return hipStreamWaitValue32(stream, simt::pointer_of(address), value, condition);
}
inline hipError_t cuStreamWaitValue64(CUstream stream, CUdeviceptr address, cuuint64_t value, unsigned condition) {
  return hipStreamWaitValue64(stream, simt::pointer_of(address), value, condition);
}
using CUstreamBatchMemOpParams = simt::stream_operation<CUdeviceptr>;
inline hipError_t cuStreamBatchMemOp(CUstream stream, unsigned count, CUstreamBatchMemOpParams* operations,
                                     unsigned flags) {
  return hipStreamBatchMemOp(stream, count, reinterpret_cast<hipStreamBatchMemOpParams*>(operations), flags);
}

#include "cuda/detail/array_names.h"
#include "cuda/detail/virtual_memory_names.h"
