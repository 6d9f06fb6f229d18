// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A device's attributes by CUDA's names. Those that HIP lacks have numbers of their own, behind all of HIP's.
#pragma once

#include "hip/hip_runtime_api.h"

namespace simt {

enum cuda_attribute : int {
  first_cuda_attribute = 30000,
#define SIMT_ATTRIBUTE(name, driver_name, value) number_of_##driver_name,
#define SIMT_DRIVER_ATTRIBUTE(driver_name, value) number_of_##driver_name,
#include "cuda/detail/device_attribute_list.h"
};

}  // namespace simt

#define SIMT_ATTRIBUTE(name, driver_name, value)                                                       \
  constexpr auto cudaDevAttr##name = static_cast<hipDeviceAttribute_t>(simt::number_of_##driver_name); \
  SIMT_DRIVER_ATTRIBUTE(driver_name, value)
#define SIMT_DRIVER_ATTRIBUTE(driver_name, value) \
  constexpr auto CU_DEVICE_ATTRIBUTE_##driver_name = static_cast<hipDeviceAttribute_t>(simt::number_of_##driver_name);
#include "cuda/detail/device_attribute_list.h"

#define cudaDevAttrMaxTexture1DWidth hipDeviceAttributeMaxTexture1DWidth
#define cudaDevAttrMaxTexture1DLinearWidth hipDeviceAttributeMaxTexture1DLinear
#define cudaDevAttrMaxTexture2DWidth hipDeviceAttributeMaxTexture2DWidth
#define cudaDevAttrMaxTexture2DHeight hipDeviceAttributeMaxTexture2DHeight
#define cudaDevAttrMaxTexture3DWidth hipDeviceAttributeMaxTexture3DWidth
#define cudaDevAttrMaxTexture3DHeight hipDeviceAttributeMaxTexture3DHeight
#define cudaDevAttrMaxTexture3DDepth hipDeviceAttributeMaxTexture3DDepth
#define cudaDevAttrMaxSurface1DWidth hipDeviceAttributeMaxSurface1D
#define cudaDevAttrMultiGpuBoardGroupID hipDeviceAttributeMultiGpuBoardGroupID
#define cudaDevAttrReservedSharedMemoryPerBlock hipDeviceAttributeReservedSharedMemPerBlock
#define cudaDevAttrSurfaceAlignment hipDeviceAttributeSurfaceAlignment
#define cudaDevAttrTccDriver hipDeviceAttributeTccDriver
#define cudaDevAttrTexturePitchAlignment hipDeviceAttributeTexturePitchAlignment
#define cudaDevAttrCooperativeMultiDeviceLaunch hipDeviceAttributeCooperativeMultiDeviceLaunch

// The driver's older names.
#define CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_ARRAY_WIDTH CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_WIDTH
#define CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_ARRAY_HEIGHT CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_HEIGHT
#define CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_ARRAY_NUMSLICES CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_LAYERS
#define CU_DEVICE_ATTRIBUTE_REGISTERS_PER_BLOCK hipDeviceAttributeMaxRegistersPerBlock
#define CU_DEVICE_ATTRIBUTE_SHARED_MEMORY_PER_BLOCK hipDeviceAttributeMaxSharedMemoryPerBlock
#define CU_DEVICE_ATTRIBUTE_MEMPOOL_SUPPORTED_HANDLE_TYPES hipDeviceAttributeMemoryPoolSupportedHandleTypes

inline namespace hip_on_cpu {

inline hipError_t cudaDeviceGetAttribute(int* value, hipDeviceAttribute_t attribute, int device) {
  if (value == nullptr || attribute <= simt::first_cuda_attribute) {
    return hipDeviceGetAttribute(value, attribute, device);
  }
  hipDeviceProp_t p;
  if (const hipError_t code = hipGetDeviceProperties(&p, device)) return code;
  switch (static_cast<int>(attribute)) {
#define SIMT_ATTRIBUTE(name, driver_name, value) SIMT_DRIVER_ATTRIBUTE(driver_name, value)
#define SIMT_DRIVER_ATTRIBUTE(driver_name, its_value) \
  case simt::number_of_##driver_name:                 \
    *value = its_value;                               \
    return hipSuccess;
#include "cuda/detail/device_attribute_list.h"
  }
  return hipErrorInvalidValue;
}

}  // namespace hip_on_cpu
