// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HIP's calls for arrays: allocating them, and copying to and from them. Included by hip_runtime_api.h.
//
// An array's elements have 1, 2 or 4 components of 8, 16 or 32 bits, all of one type. Its height and depth may be 0: it
// has fewer dimensions. The depth of a layered array is the number of its layers; a cube's faces are layers.
#pragma once

#include "hip/detail/array_types.h"

inline namespace hip_on_cpu {

SIMT_ALLOCATION_API hipError_t hipMallocArray(hipArray_t* array, const hipChannelFormatDesc* element, size_t width,
                                              size_t height = 0, unsigned flags = hipArrayDefault);
SIMT_ALLOCATION_API hipError_t hipMalloc3DArray(hipArray_t* array, const hipChannelFormatDesc* element,
                                                hipExtent extent, unsigned flags = hipArrayDefault);
SIMT_ALLOCATION_API hipError_t hipArrayCreate(hipArray_t* array, const HIP_ARRAY_DESCRIPTOR* descriptor);
SIMT_ALLOCATION_API hipError_t hipArray3DCreate(hipArray_t* array, const HIP_ARRAY3D_DESCRIPTOR* descriptor);
SIMT_ALLOCATION_API hipError_t hipFreeArray(hipArray_t array);
SIMT_ALLOCATION_API hipError_t hipArrayDestroy(hipArray_t array);

SIMT_API hipError_t hipGetChannelDesc(hipChannelFormatDesc* element, hipArray_const_t array);
/// Each of the first three may be null.
SIMT_API hipError_t hipArrayGetInfo(hipChannelFormatDesc* element, hipExtent* extent, unsigned* flags,
                                    hipArray_t array);
SIMT_API hipError_t hipArrayGetDescriptor(HIP_ARRAY_DESCRIPTOR* descriptor, hipArray_t array);
SIMT_API hipError_t hipArray3DGetDescriptor(HIP_ARRAY3D_DESCRIPTOR* descriptor, hipArray_t array);

// hipErrorNotSupported where one would be made, and hipErrorInvalidValue for its handle.
SIMT_API hipError_t hipMallocMipmappedArray(hipMipmappedArray_t* array, const hipChannelFormatDesc* element,
                                            hipExtent extent, unsigned levels, unsigned flags = 0);
SIMT_API hipError_t hipMipmappedArrayCreate(hipMipmappedArray_t* array, HIP_ARRAY3D_DESCRIPTOR* descriptor,
                                            unsigned levels);
SIMT_API hipError_t hipFreeMipmappedArray(hipMipmappedArray_t array);
SIMT_API hipError_t hipMipmappedArrayDestroy(hipMipmappedArray_t array);
SIMT_API hipError_t hipGetMipmappedArrayLevel(hipArray_t* level, hipMipmappedArray_const_t array, unsigned number);
SIMT_API hipError_t hipMipmappedArrayGetLevel(hipArray_t* level, hipMipmappedArray_t array, unsigned number);

// Offsets in rows and widths are in bytes.

SIMT_API hipError_t hipMemcpy2DToArray(hipArray_t target, size_t x, size_t y, const void* source, size_t pitch,
                                       size_t width, size_t height, hipMemcpyKind kind);
SIMT_API hipError_t hipMemcpy2DToArrayAsync(hipArray_t target, size_t x, size_t y, const void* source, size_t pitch,
                                            size_t width, size_t height, hipMemcpyKind kind,
                                            hipStream_t stream = nullptr);
SIMT_API hipError_t hipMemcpy2DFromArray(void* target, size_t pitch, hipArray_const_t source, size_t x, size_t y,
                                         size_t width, size_t height, hipMemcpyKind kind);
SIMT_API hipError_t hipMemcpy2DFromArrayAsync(void* target, size_t pitch, hipArray_const_t source, size_t x, size_t y,
                                              size_t width, size_t height, hipMemcpyKind kind,
                                              hipStream_t stream = nullptr);
SIMT_API hipError_t hipMemcpy2DArrayToArray(hipArray_t target, size_t target_x, size_t target_y,
                                            hipArray_const_t source, size_t source_x, size_t source_y, size_t width,
                                            size_t height, hipMemcpyKind kind = hipMemcpyDeviceToDevice);
/// From the place on, row after row.
SIMT_API hipError_t hipMemcpyToArray(hipArray_t target, size_t x, size_t y, const void* source, size_t bytes,
                                     hipMemcpyKind kind);
SIMT_API hipError_t hipMemcpyFromArray(void* target, hipArray_const_t source, size_t x, size_t y, size_t bytes,
                                       hipMemcpyKind kind);
/// Of an array of one dimension.
SIMT_API hipError_t hipMemcpyHtoA(hipArray_t target, size_t offset, const void* source, size_t bytes);
SIMT_API hipError_t hipMemcpyAtoH(void* target, hipArray_t source, size_t offset, size_t bytes);

SIMT_API hipError_t hipMemcpyParam2D(const hip_Memcpy2D* copy);
SIMT_API hipError_t hipMemcpyParam2DAsync(const hip_Memcpy2D* copy, hipStream_t stream = nullptr);
SIMT_API hipError_t hipDrvMemcpy2DUnaligned(const hip_Memcpy2D* copy);
SIMT_API hipError_t hipMemcpy3D(const hipMemcpy3DParms* copy);
SIMT_API hipError_t hipMemcpy3DAsync(const hipMemcpy3DParms* copy, hipStream_t stream = nullptr);
SIMT_API hipError_t hipDrvMemcpy3D(const HIP_MEMCPY3D* copy);
SIMT_API hipError_t hipDrvMemcpy3DAsync(const HIP_MEMCPY3D* copy, hipStream_t stream = nullptr);

}  // namespace hip_on_cpu
