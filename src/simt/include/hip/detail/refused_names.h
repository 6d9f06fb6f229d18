// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HIP's names that the CPU machine does not have. Using one is an error at its line that says what there is instead.
//
// Written by scripts/hip-api. A function takes any arguments, so that a program's own of the same name fits better.
#pragma once

#if defined(__clang__) && !defined(__WARPZ_CUDA__) && !defined(SIMT_NO_REFUSED_NAMES)

#include "simt/detail/sides.hpp"

SIMT_BOTH_SIDES_BEGIN

#define SIMT_FUNCTION(name) void name(...) SIMT_REFUSAL;
#define SIMT_TYPE(name) struct SIMT_REFUSAL name;
#define SIMT_CONSTANT(name) enum { name SIMT_REFUSAL };

// clang-format off
#define SIMT_REFUSAL __attribute__((unavailable("a constant of CUDA's own mathematics, split or scaled: write the number")))
SIMT_CONSTANT(HIP_R_8F_E4M3_FNUZ) SIMT_CONSTANT(HIP_R_8F_E5M2_FNUZ) SIMT_CONSTANT(HIP_DBL2INT_CVT)
SIMT_CONSTANT(HIP_L2E_HI) SIMT_CONSTANT(HIP_L2E_LO) SIMT_CONSTANT(HIP_LG2_HI) SIMT_CONSTANT(HIP_LG2_LO)
SIMT_CONSTANT(HIP_LG2_X_1024) SIMT_CONSTANT(HIP_LG2_X_1075) SIMT_CONSTANT(HIP_LGE_HI) SIMT_CONSTANT(HIP_LGE_LO)
SIMT_CONSTANT(HIP_LN2_HI) SIMT_CONSTANT(HIP_LN2_LO) SIMT_CONSTANT(HIP_LN2_X_1024) SIMT_CONSTANT(HIP_LN2_X_1025)
SIMT_CONSTANT(HIP_LN2_X_1075) SIMT_CONSTANT(HIP_LNT_HI) SIMT_CONSTANT(HIP_LNT_LO) SIMT_CONSTANT(HIP_NORM_HUGE_F)
SIMT_CONSTANT(HIP_PI_HI) SIMT_CONSTANT(HIP_PI_LO) SIMT_CONSTANT(HIP_PIO2_HI) SIMT_CONSTANT(HIP_PIO2_LO)
SIMT_CONSTANT(HIP_PIO4_HI) SIMT_CONSTANT(HIP_PIO4_LO) SIMT_CONSTANT(HIP_REMQUO_BITS_F) SIMT_CONSTANT(HIP_REMQUO_MASK_F)
SIMT_CONSTANT(HIP_SQRT_2OPI) SIMT_CONSTANT(HIP_SQRT_2PI) SIMT_CONSTANT(HIP_SQRT_2PI_HI) SIMT_CONSTANT(HIP_SQRT_2PI_LO)
SIMT_CONSTANT(HIP_SQRT_HALF_HI) SIMT_CONSTANT(HIP_SQRT_HALF_HI_F) SIMT_CONSTANT(HIP_SQRT_HALF_LO)
SIMT_CONSTANT(HIP_SQRT_HALF_LO_F) SIMT_CONSTANT(HIP_SQRT_PIO2) SIMT_CONSTANT(HIP_SQRT_PIO2_HI)
SIMT_CONSTANT(HIP_SQRT_PIO2_LO) SIMT_CONSTANT(HIP_TRIG_PLOSS) SIMT_CONSTANT(HIP_TRIG_PLOSS_F)
SIMT_CONSTANT(HIP_TWO_TO_126_F) SIMT_CONSTANT(HIP_TWO_TO_23) SIMT_CONSTANT(HIP_TWO_TO_23_F)
SIMT_CONSTANT(HIP_TWO_TO_24_F) SIMT_CONSTANT(HIP_TWO_TO_31_F) SIMT_CONSTANT(HIP_TWO_TO_32_F)
SIMT_CONSTANT(HIP_TWO_TO_52) SIMT_CONSTANT(HIP_TWO_TO_53) SIMT_CONSTANT(HIP_TWO_TO_54) SIMT_CONSTANT(HIP_TWO_TO_M1022)
SIMT_CONSTANT(HIP_TWO_TO_M126_F) SIMT_CONSTANT(HIP_TWO_TO_M54) SIMT_CONSTANT(HIP_TWOTHIRD)
#undef SIMT_REFUSAL

#define SIMT_REFUSAL __attribute__((unavailable("a form that the CPU machine does not have: use hipGraphAddKernelNode, hipGraphAddMemcpyNode and the like")))
SIMT_CONSTANT(hipGraphNodeTypeMemcpy1D) SIMT_FUNCTION(hipDrvLaunchKernelEx) SIMT_FUNCTION(hipGraphAddBatchMemOpNode)
SIMT_FUNCTION(hipGraphBatchMemOpNodeGetParams) SIMT_FUNCTION(hipGraphBatchMemOpNodeSetParams)
SIMT_FUNCTION(hipGraphExecBatchMemOpNodeSetParams) SIMT_CONSTANT(hipGraphKernelNodePortDefault)
SIMT_CONSTANT(hipGraphKernelNodePortLaunchCompletion) SIMT_CONSTANT(hipGraphKernelNodePortProgrammatic)
SIMT_TYPE(hipLaunchParams_t) SIMT_TYPE(hipLaunchParm)
#undef SIMT_REFUSAL

#define SIMT_REFUSAL __attribute__((unavailable("a launch of HIP's early versions: use hipLaunchKernel")))
SIMT_FUNCTION(hipConfigureCall) SIMT_FUNCTION(hipLaunchByPtr) SIMT_FUNCTION(hipSetupArgument)
#undef SIMT_REFUSAL

#define SIMT_REFUSAL __attribute__((unavailable("arrays have memory of their own here: use hipMallocArray")))
SIMT_CONSTANT(hipArraySparseSubresourceTypeMiptail) SIMT_CONSTANT(hipArraySparseSubresourceTypeSparseLevel)
SIMT_FUNCTION(hipMemMapArrayAsync) SIMT_TYPE(hipArrayMapInfo) SIMT_TYPE(hipArraySparseSubresourceType)
#undef SIMT_REFUSAL

#define SIMT_REFUSAL __attribute__((unavailable("blocks have no multiprocessor of their own here: use blockIdx")))
SIMT_FUNCTION(__smid)
#undef SIMT_REFUSAL

#define SIMT_REFUSAL __attribute__((unavailable("made by the compiler for a default stream per thread: use the name without _spt, and hipStreamPerThread")))
SIMT_FUNCTION(hipLaunchCooperativeKernel_spt) SIMT_FUNCTION(hipLaunchKernel_spt) SIMT_FUNCTION(hipMemcpy2D_spt)
SIMT_FUNCTION(hipMemcpy2DFromArray_spt) SIMT_FUNCTION(hipMemcpy2DToArray_spt) SIMT_FUNCTION(hipMemcpy3D_spt)
SIMT_FUNCTION(hipMemcpy_spt) SIMT_FUNCTION(hipMemcpyAsync_spt) SIMT_FUNCTION(hipMemcpyFromSymbol_spt)
SIMT_FUNCTION(hipMemcpyToSymbol_spt) SIMT_FUNCTION(hipMemset2D_spt) SIMT_FUNCTION(hipMemset3D_spt)
SIMT_FUNCTION(hipMemset_spt) SIMT_FUNCTION(hipStreamGetFlags_spt) SIMT_FUNCTION(hipStreamGetPriority_spt)
SIMT_FUNCTION(hipStreamQuery_spt) SIMT_FUNCTION(hipStreamSynchronize_spt) SIMT_FUNCTION(hipStreamWaitEvent_spt)
SIMT_FUNCTION(hipEventRecord_spt) SIMT_FUNCTION(hipGraphLaunch_spt) SIMT_FUNCTION(hipLaunchHostFunc_spt)
SIMT_FUNCTION(hipMemcpy2DAsync_spt) SIMT_FUNCTION(hipMemcpy2DFromArrayAsync_spt)
SIMT_FUNCTION(hipMemcpy2DToArrayAsync_spt) SIMT_FUNCTION(hipMemcpy3DAsync_spt) SIMT_FUNCTION(hipMemcpyFromArray_spt)
SIMT_FUNCTION(hipMemcpyFromSymbolAsync_spt) SIMT_FUNCTION(hipMemcpyToSymbolAsync_spt)
SIMT_FUNCTION(hipMemset2DAsync_spt) SIMT_FUNCTION(hipMemset3DAsync_spt) SIMT_FUNCTION(hipMemsetAsync_spt)
SIMT_FUNCTION(hipStreamAddCallback_spt) SIMT_FUNCTION(hipStreamBeginCapture_spt) SIMT_FUNCTION(hipStreamEndCapture_spt)
SIMT_FUNCTION(hipStreamGetCaptureInfo_spt) SIMT_FUNCTION(hipStreamGetCaptureInfo_v2_spt)
SIMT_FUNCTION(hipStreamIsCapturing_spt)
#undef SIMT_REFUSAL

#define SIMT_REFUSAL __attribute__((unavailable("no other device writes to memory here")))
SIMT_CONSTANT(hipFlushGPUDirectRDMAWritesOptionHost) SIMT_CONSTANT(hipFlushGPUDirectRDMAWritesOptionMemOps)
SIMT_CONSTANT(hipGPUDirectRDMAWritesOrderingAllDevices) SIMT_CONSTANT(hipGPUDirectRDMAWritesOrderingNone)
SIMT_CONSTANT(hipGPUDirectRDMAWritesOrderingOwner) SIMT_TYPE(hipFlushGPUDirectRDMAWritesOptions)
SIMT_TYPE(hipGPUDirectRDMAWritesOrdering)
#undef SIMT_REFUSAL

#define SIMT_REFUSAL __attribute__((unavailable("not on the CPU machine")))
SIMT_CONSTANT(HIP_ERROR_INVALID_VALUE) SIMT_CONSTANT(HIP_ERROR_LAUNCH_OUT_OF_RESOURCES)
SIMT_CONSTANT(HIP_ERROR_NOT_INITIALIZED) SIMT_CONSTANT(HIP_LIBRARY_MAJOR_VERSION)
SIMT_CONSTANT(HIP_LIBRARY_MINOR_VERSION) SIMT_CONSTANT(HIP_LIBRARY_PATCH_LEVEL) SIMT_CONSTANT(hipJitOptionFastCompile)
SIMT_CONSTANT(hipJitOptionNumOptions) SIMT_CONSTANT(hipJitOptionSm3xOpt) SIMT_CONSTANT(hipDeviceAttributeArch)
SIMT_CONSTANT(hipDeviceAttributeGcnArch) SIMT_CONSTANT(hipDeviceAttributeGcnArchName)
SIMT_CONSTANT(hipDeviceAttributeName) SIMT_CONSTANT(hipDeviceAttributeUuid)
SIMT_FUNCTION(hipModuleLaunchCooperativeKernelMultiDevice) SIMT_FUNCTION(hipSetValidDevices)
SIMT_FUNCTION(hipDeviceGetTexture1DLinearMaxWidth) SIMT_FUNCTION(hipMemcpy3DBatchAsync)
SIMT_FUNCTION(hipMemcpyBatchAsync) SIMT_FUNCTION(hipMemGetHandleForAddressRange) SIMT_CONSTANT(CUDA_SUCCESS)
SIMT_TYPE(hipFunctionLaunchParams) SIMT_TYPE(hipFunctionLaunchParams_t)
#undef SIMT_REFUSAL

#define SIMT_REFUSAL __attribute__((unavailable("nothing is looked up in a runtime library here: call the function, or use hipModuleGetFunction")))
SIMT_FUNCTION(hipApiName) SIMT_FUNCTION(hipKernelNameRef) SIMT_FUNCTION(hipKernelNameRefByPtr)
SIMT_FUNCTION(hipRegisterActivityCallback) SIMT_FUNCTION(hipRegisterApiCallback)
SIMT_FUNCTION(hipRemoveActivityCallback) SIMT_FUNCTION(hipRemoveApiCallback) SIMT_FUNCTION(hipLibraryGetKernel)
SIMT_FUNCTION(hipLibraryGetKernelCount) SIMT_FUNCTION(hipLibraryLoadData) SIMT_FUNCTION(hipLibraryLoadFromFile)
SIMT_FUNCTION(hipLibraryUnload) SIMT_FUNCTION(hipModuleLoadFatBinary) SIMT_TYPE(hipLibraryPropertyType)
#undef SIMT_REFUSAL

#define SIMT_REFUSAL __attribute__((unavailable("processors are not divided or linked here")))
SIMT_FUNCTION(hipExtGetLinkTypeAndHopCount) SIMT_FUNCTION(hipExtStreamGetCUMask)
#undef SIMT_REFUSAL

#define SIMT_REFUSAL __attribute__((unavailable("there is no graphics API here: copy with hipMemcpy")))
SIMT_CONSTANT(hipGLDeviceListAll) SIMT_CONSTANT(hipGLDeviceListCurrentFrame) SIMT_CONSTANT(hipGLDeviceListNextFrame)
SIMT_CONSTANT(hipGraphicsRegisterFlagsNone) SIMT_CONSTANT(hipGraphicsRegisterFlagsReadOnly)
SIMT_CONSTANT(hipGraphicsRegisterFlagsSurfaceLoadStore) SIMT_CONSTANT(hipGraphicsRegisterFlagsTextureGather)
SIMT_CONSTANT(hipGraphicsRegisterFlagsWriteDiscard) SIMT_FUNCTION(hipGLGetDevices)
SIMT_FUNCTION(hipGraphicsGLRegisterBuffer) SIMT_FUNCTION(hipGraphicsGLRegisterImage)
SIMT_FUNCTION(hipGraphicsMapResources) SIMT_FUNCTION(hipGraphicsResourceGetMappedPointer)
SIMT_FUNCTION(hipGraphicsSubResourceGetMappedArray) SIMT_FUNCTION(hipGraphicsUnmapResources)
SIMT_FUNCTION(hipGraphicsUnregisterResource) SIMT_TYPE(hipGLDeviceList) SIMT_TYPE(hipGraphicsRegisterFlags)
SIMT_TYPE(hipGraphicsResource) SIMT_TYPE(hipGraphicsResource_t)
#undef SIMT_REFUSAL

#define SIMT_REFUSAL __attribute__((unavailable("there is no other API here whose memory or semaphores could be shared: use hipMalloc and hipEvent_t")))
SIMT_CONSTANT(hipExternalMemoryHandleTypeD3D11Resource) SIMT_CONSTANT(hipExternalMemoryHandleTypeD3D11ResourceKmt)
SIMT_CONSTANT(hipExternalMemoryHandleTypeD3D12Heap) SIMT_CONSTANT(hipExternalMemoryHandleTypeD3D12Resource)
SIMT_CONSTANT(hipExternalMemoryHandleTypeOpaqueFd) SIMT_CONSTANT(hipExternalMemoryHandleTypeOpaqueWin32)
SIMT_CONSTANT(hipExternalMemoryHandleTypeOpaqueWin32Kmt) SIMT_CONSTANT(hipExternalSemaphoreHandleTypeD3D12Fence)
SIMT_CONSTANT(hipExternalSemaphoreHandleTypeOpaqueFd) SIMT_CONSTANT(hipExternalSemaphoreHandleTypeOpaqueWin32)
SIMT_CONSTANT(hipExternalSemaphoreHandleTypeOpaqueWin32Kmt) SIMT_CONSTANT(hipExternalMemoryHandleTypeNvSciBuf)
SIMT_CONSTANT(hipExternalSemaphoreHandleTypeD3D11Fence) SIMT_CONSTANT(hipExternalSemaphoreHandleTypeKeyedMutex)
SIMT_CONSTANT(hipExternalSemaphoreHandleTypeKeyedMutexKmt) SIMT_CONSTANT(hipExternalSemaphoreHandleTypeNvSciSync)
SIMT_CONSTANT(hipExternalSemaphoreHandleTypeTimelineSemaphoreFd)
SIMT_CONSTANT(hipExternalSemaphoreHandleTypeTimelineSemaphoreWin32) SIMT_FUNCTION(hipDestroyExternalMemory)
SIMT_FUNCTION(hipDestroyExternalSemaphore) SIMT_FUNCTION(hipExternalMemoryGetMappedBuffer)
SIMT_FUNCTION(hipImportExternalMemory) SIMT_FUNCTION(hipImportExternalSemaphore)
SIMT_FUNCTION(hipSignalExternalSemaphoresAsync) SIMT_FUNCTION(hipWaitExternalSemaphoresAsync)
SIMT_FUNCTION(hipExternalMemoryGetMappedMipmappedArray) SIMT_FUNCTION(hipGraphAddExternalSemaphoresSignalNode)
SIMT_FUNCTION(hipGraphAddExternalSemaphoresWaitNode) SIMT_FUNCTION(hipGraphExecExternalSemaphoresSignalNodeSetParams)
SIMT_FUNCTION(hipGraphExecExternalSemaphoresWaitNodeSetParams)
SIMT_FUNCTION(hipGraphExternalSemaphoresSignalNodeGetParams)
SIMT_FUNCTION(hipGraphExternalSemaphoresSignalNodeSetParams) SIMT_FUNCTION(hipGraphExternalSemaphoresWaitNodeGetParams)
SIMT_FUNCTION(hipGraphExternalSemaphoresWaitNodeSetParams) SIMT_CONSTANT(hipExternalMemoryDedicated)
SIMT_TYPE(hipExternalMemory_t) SIMT_TYPE(hipExternalMemoryBufferDesc) SIMT_TYPE(hipExternalMemoryHandleDesc)
SIMT_TYPE(hipExternalMemoryHandleType) SIMT_TYPE(hipExternalSemaphore_t) SIMT_TYPE(hipExternalSemaphoreHandleDesc)
SIMT_TYPE(hipExternalSemaphoreHandleType) SIMT_TYPE(hipExternalSemaphoreSignalParams)
SIMT_TYPE(hipExternalSemaphoreWaitParams) SIMT_TYPE(hipExternalMemoryMipmappedArrayDesc)
SIMT_TYPE(hipExternalSemaphoreSignalNodeParams) SIMT_TYPE(hipExternalSemaphoreWaitNodeParams)
#undef SIMT_REFUSAL

#undef SIMT_CONSTANT
#undef SIMT_TYPE
#undef SIMT_FUNCTION

SIMT_BOTH_SIDES_END

#endif
