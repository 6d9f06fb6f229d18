// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CUDA driver's names for arrays and textures. What holds an address is a struct of its own, laid out as HIP's, as
// an address is a number to the driver.
#pragma once

#include "hip/hip_runtime_api.h"

typedef hipArray_t CUarray;
typedef hipArray_Format CUarray_format;
typedef hipMemoryType CUmemorytype;
typedef HIP_ARRAY_DESCRIPTOR CUDA_ARRAY_DESCRIPTOR;
typedef HIP_ARRAY3D_DESCRIPTOR CUDA_ARRAY3D_DESCRIPTOR;
#define CU_AD_FORMAT_UNSIGNED_INT8 HIP_AD_FORMAT_UNSIGNED_INT8
#define CU_AD_FORMAT_UNSIGNED_INT16 HIP_AD_FORMAT_UNSIGNED_INT16
#define CU_AD_FORMAT_UNSIGNED_INT32 HIP_AD_FORMAT_UNSIGNED_INT32
#define CU_AD_FORMAT_SIGNED_INT8 HIP_AD_FORMAT_SIGNED_INT8
#define CU_AD_FORMAT_SIGNED_INT16 HIP_AD_FORMAT_SIGNED_INT16
#define CU_AD_FORMAT_SIGNED_INT32 HIP_AD_FORMAT_SIGNED_INT32
#define CU_AD_FORMAT_HALF HIP_AD_FORMAT_HALF
#define CU_AD_FORMAT_FLOAT HIP_AD_FORMAT_FLOAT
#define CU_MEMORYTYPE_HOST hipMemoryTypeHost
#define CU_MEMORYTYPE_DEVICE hipMemoryTypeDevice
#define CU_MEMORYTYPE_ARRAY hipMemoryTypeArray
#define CU_MEMORYTYPE_UNIFIED hipMemoryTypeUnified
SIMT_DRIVER_CALL(cuArrayCreate, hipArrayCreate)
SIMT_DRIVER_CALL(cuArray3DCreate, hipArray3DCreate)
SIMT_DRIVER_CALL(cuArrayDestroy, hipArrayDestroy)
SIMT_DRIVER_CALL(cuArrayGetDescriptor, hipArrayGetDescriptor)

struct CUDA_MEMCPY2D {
  size_t srcXInBytes;
  size_t srcY;
  CUmemorytype srcMemoryType;
  const void* srcHost;
  CUdeviceptr srcDevice;
  CUarray srcArray;
  size_t srcPitch;
  size_t dstXInBytes;
  size_t dstY;
  CUmemorytype dstMemoryType;
  void* dstHost;
  CUdeviceptr dstDevice;
  CUarray dstArray;
  size_t dstPitch;
  size_t WidthInBytes;
  size_t Height;
};
static_assert(sizeof(CUDA_MEMCPY2D) == sizeof(hip_Memcpy2D));

inline CUresult cuMemcpy2D(const CUDA_MEMCPY2D* copy) {
  return simt::driver_result(hipMemcpyParam2D(reinterpret_cast<const hip_Memcpy2D*>(copy)));
}
inline CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D* copy) {
  return simt::driver_result(hipDrvMemcpy2DUnaligned(reinterpret_cast<const hip_Memcpy2D*>(copy)));
}
inline CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D* copy, CUstream stream) {
  return simt::driver_result(hipMemcpyParam2DAsync(reinterpret_cast<const hip_Memcpy2D*>(copy), stream));
}

// Textures.
typedef hipTextureObject_t CUtexObject;
typedef HIPresourcetype CUresourcetype;
typedef HIPaddress_mode CUaddress_mode;
typedef HIPfilter_mode CUfilter_mode;
typedef HIP_TEXTURE_DESC CUDA_TEXTURE_DESC;
typedef HIP_RESOURCE_VIEW_DESC CUDA_RESOURCE_VIEW_DESC;
#define CU_RESOURCE_TYPE_ARRAY HIP_RESOURCE_TYPE_ARRAY
#define CU_RESOURCE_TYPE_MIPMAPPED_ARRAY HIP_RESOURCE_TYPE_MIPMAPPED_ARRAY
#define CU_RESOURCE_TYPE_LINEAR HIP_RESOURCE_TYPE_LINEAR
#define CU_RESOURCE_TYPE_PITCH2D HIP_RESOURCE_TYPE_PITCH2D
#define CU_TR_ADDRESS_MODE_WRAP HIP_TR_ADDRESS_MODE_WRAP
#define CU_TR_ADDRESS_MODE_CLAMP HIP_TR_ADDRESS_MODE_CLAMP
#define CU_TR_ADDRESS_MODE_MIRROR HIP_TR_ADDRESS_MODE_MIRROR
#define CU_TR_ADDRESS_MODE_BORDER HIP_TR_ADDRESS_MODE_BORDER
#define CU_TR_FILTER_MODE_POINT HIP_TR_FILTER_MODE_POINT
#define CU_TR_FILTER_MODE_LINEAR HIP_TR_FILTER_MODE_LINEAR
#define CU_TRSF_READ_AS_INTEGER HIP_TRSF_READ_AS_INTEGER
#define CU_TRSF_NORMALIZED_COORDINATES HIP_TRSF_NORMALIZED_COORDINATES
#define CU_TRSF_SRGB HIP_TRSF_SRGB

struct CUDA_RESOURCE_DESC {
  CUresourcetype resType;
  union {
    struct {
      CUarray hArray;
    } array;
    struct {
      CUdeviceptr devPtr;
      CUarray_format format;
      unsigned numChannels;
      size_t sizeInBytes;
    } linear;
    struct {
      CUdeviceptr devPtr;
      CUarray_format format;
      unsigned numChannels;
      size_t width;
      size_t height;
      size_t pitchInBytes;
    } pitch2D;
    struct {
      int reserved[32];
    } reserved;
  } res;
  unsigned flags;
};
static_assert(sizeof(CUDA_RESOURCE_DESC) == sizeof(HIP_RESOURCE_DESC));

inline CUresult cuTexObjectCreate(CUtexObject* object, const CUDA_RESOURCE_DESC* resource,
                                  const CUDA_TEXTURE_DESC* texture, const CUDA_RESOURCE_VIEW_DESC* view) {
  return simt::driver_result(
      hipTexObjectCreate(object, reinterpret_cast<const HIP_RESOURCE_DESC*>(resource), texture, view));
}
SIMT_DRIVER_CALL(cuTexObjectDestroy, hipTexObjectDestroy)
