// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Textures as CUDA's driver has them: hipTexObjectCreate and its types, whose numbers are those of
// hipCreateTextureObject, and texture references whose settings are calls.
#pragma once

#include "hip/detail/array_api.h"
#include "hip/detail/modules.h"
#include "hip/detail/texture_api.h"

#define HIP_TRSA_OVERRIDE_FORMAT 0x01
#define HIP_TRSF_READ_AS_INTEGER 0x01
#define HIP_TRSF_NORMALIZED_COORDINATES 0x02
#define HIP_TRSF_SRGB 0x10

typedef enum HIPresourcetype_enum : int {
  HIP_RESOURCE_TYPE_ARRAY = hipResourceTypeArray,
  HIP_RESOURCE_TYPE_MIPMAPPED_ARRAY = hipResourceTypeMipmappedArray,
  HIP_RESOURCE_TYPE_LINEAR = hipResourceTypeLinear,
  HIP_RESOURCE_TYPE_PITCH2D = hipResourceTypePitch2D
} HIPresourcetype, hipResourcetype;

typedef enum HIPaddress_mode_enum : int {
  HIP_TR_ADDRESS_MODE_WRAP = hipAddressModeWrap,
  HIP_TR_ADDRESS_MODE_CLAMP = hipAddressModeClamp,
  HIP_TR_ADDRESS_MODE_MIRROR = hipAddressModeMirror,
  HIP_TR_ADDRESS_MODE_BORDER = hipAddressModeBorder
} HIPaddress_mode;

typedef enum HIPfilter_mode_enum : int {
  HIP_TR_FILTER_MODE_POINT = hipFilterModePoint,
  HIP_TR_FILTER_MODE_LINEAR = hipFilterModeLinear
} HIPfilter_mode;

typedef enum HIPresourceViewFormat_enum : int {
  HIP_RES_VIEW_FORMAT_NONE = 0,
  HIP_RES_VIEW_FORMAT_UINT_1X8,
  HIP_RES_VIEW_FORMAT_UINT_2X8,
  HIP_RES_VIEW_FORMAT_UINT_4X8,
  HIP_RES_VIEW_FORMAT_SINT_1X8,
  HIP_RES_VIEW_FORMAT_SINT_2X8,
  HIP_RES_VIEW_FORMAT_SINT_4X8,
  HIP_RES_VIEW_FORMAT_UINT_1X16,
  HIP_RES_VIEW_FORMAT_UINT_2X16,
  HIP_RES_VIEW_FORMAT_UINT_4X16,
  HIP_RES_VIEW_FORMAT_SINT_1X16,
  HIP_RES_VIEW_FORMAT_SINT_2X16,
  HIP_RES_VIEW_FORMAT_SINT_4X16,
  HIP_RES_VIEW_FORMAT_UINT_1X32,
  HIP_RES_VIEW_FORMAT_UINT_2X32,
  HIP_RES_VIEW_FORMAT_UINT_4X32,
  HIP_RES_VIEW_FORMAT_SINT_1X32,
  HIP_RES_VIEW_FORMAT_SINT_2X32,
  HIP_RES_VIEW_FORMAT_SINT_4X32,
  HIP_RES_VIEW_FORMAT_FLOAT_1X16,
  HIP_RES_VIEW_FORMAT_FLOAT_2X16,
  HIP_RES_VIEW_FORMAT_FLOAT_4X16,
  HIP_RES_VIEW_FORMAT_FLOAT_1X32,
  HIP_RES_VIEW_FORMAT_FLOAT_2X32,
  HIP_RES_VIEW_FORMAT_FLOAT_4X32,
  HIP_RES_VIEW_FORMAT_UNSIGNED_BC1,
  HIP_RES_VIEW_FORMAT_UNSIGNED_BC2,
  HIP_RES_VIEW_FORMAT_UNSIGNED_BC3,
  HIP_RES_VIEW_FORMAT_UNSIGNED_BC4,
  HIP_RES_VIEW_FORMAT_SIGNED_BC4,
  HIP_RES_VIEW_FORMAT_UNSIGNED_BC5,
  HIP_RES_VIEW_FORMAT_SIGNED_BC5,
  HIP_RES_VIEW_FORMAT_UNSIGNED_BC6H,
  HIP_RES_VIEW_FORMAT_SIGNED_BC6H,
  HIP_RES_VIEW_FORMAT_UNSIGNED_BC7
} HIPresourceViewFormat;

typedef struct HIP_TEXTURE_DESC_st {
  HIPaddress_mode addressMode[3];
  HIPfilter_mode filterMode;
  unsigned flags;
  unsigned maxAnisotropy;
  HIPfilter_mode mipmapFilterMode;
  float mipmapLevelBias;
  float minMipmapLevelClamp;
  float maxMipmapLevelClamp;
  float borderColor[4];
  int reserved[12];
} HIP_TEXTURE_DESC;

typedef struct HIP_RESOURCE_DESC_st {
  HIPresourcetype resType;
  union {
    struct {
      hipArray_t hArray;
    } array;
    struct {
      hipMipmappedArray_t hMipmappedArray;
    } mipmap;
    struct {
      hipDeviceptr_t devPtr;
      hipArray_Format format;
      unsigned numChannels;
      size_t sizeInBytes;
    } linear;
    struct {
      hipDeviceptr_t devPtr;
      hipArray_Format format;
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
} HIP_RESOURCE_DESC;

typedef struct HIP_RESOURCE_VIEW_DESC_st {
  HIPresourceViewFormat format;
  size_t width;
  size_t height;
  size_t depth;
  unsigned firstMipmapLevel;
  unsigned lastMipmapLevel;
  unsigned firstLayer;
  unsigned lastLayer;
  unsigned reserved[16];
} HIP_RESOURCE_VIEW_DESC;

namespace simt {

inline hipChannelFormatDesc element_of(hipArray_Format format, unsigned components) {
  const bool is_float = format == HIP_AD_FORMAT_HALF || format == HIP_AD_FORMAT_FLOAT;
  const bool is_signed = format >= HIP_AD_FORMAT_SIGNED_INT8 && format <= HIP_AD_FORMAT_SIGNED_INT32;
  int bits = format == HIP_AD_FORMAT_HALF ? 16 : 32;
  if (!is_float) bits = 8 << ((static_cast<int>(format) & 7) - (is_signed ? 0 : 1));
  const auto component = [&](unsigned number) { return number < components ? bits : 0; };
  return {component(0), component(1), component(2), component(3),
          is_float    ? hipChannelFormatKindFloat
          : is_signed ? hipChannelFormatKindSigned
                      : hipChannelFormatKindUnsigned};
}

inline hipArray_Format format_of_driver(const hipChannelFormatDesc& element) {
  if (element.f == hipChannelFormatKindFloat) return element.x == 16 ? HIP_AD_FORMAT_HALF : HIP_AD_FORMAT_FLOAT;
  const int size = element.x == 8 ? 0 : element.x == 16 ? 1 : 2;
  return static_cast<hipArray_Format>((element.f == hipChannelFormatKindSigned ? 8 : 1) + size);
}

inline unsigned component_count(const hipChannelFormatDesc& element) {
  return (element.x != 0 ? 1u : 0u) + (element.y != 0 ? 1u : 0u) + (element.z != 0 ? 1u : 0u) +
         (element.w != 0 ? 1u : 0u);
}

inline hipResourceDesc resource_of(const HIP_RESOURCE_DESC& from) {
  hipResourceDesc to{};
  to.resType = static_cast<hipResourceType>(from.resType);
  switch (from.resType) {
    case HIP_RESOURCE_TYPE_ARRAY:
      to.res.array.array = from.res.array.hArray;
      break;
    case HIP_RESOURCE_TYPE_MIPMAPPED_ARRAY:
      to.res.mipmap.mipmap = from.res.mipmap.hMipmappedArray;
      break;
    case HIP_RESOURCE_TYPE_LINEAR:
      to.res.linear = {from.res.linear.devPtr, element_of(from.res.linear.format, from.res.linear.numChannels),
                       from.res.linear.sizeInBytes};
      break;
    case HIP_RESOURCE_TYPE_PITCH2D:
      to.res.pitch2D = {from.res.pitch2D.devPtr, element_of(from.res.pitch2D.format, from.res.pitch2D.numChannels),
                        from.res.pitch2D.width, from.res.pitch2D.height, from.res.pitch2D.pitchInBytes};
      break;
  }
  return to;
}

/// Integers of 8 and 16 bits are read as floats unless HIP_TRSF_READ_AS_INTEGER says otherwise.
inline hipTextureDesc sampling_of(const HIP_TEXTURE_DESC& from, const hipChannelFormatDesc& element) {
  hipTextureDesc to{};
  for (int i = 0; i < 3; ++i) to.addressMode[i] = static_cast<hipTextureAddressMode>(from.addressMode[i]);
  for (int i = 0; i < 4; ++i) to.borderColor[i] = from.borderColor[i];
  to.filterMode = static_cast<hipTextureFilterMode>(from.filterMode);
  const bool is_narrow = element.f != hipChannelFormatKindFloat && element.x < 32;
  const bool stays = (from.flags & HIP_TRSF_READ_AS_INTEGER) != 0 || !is_narrow;
  to.readMode = stays ? hipReadModeElementType : hipReadModeNormalizedFloat;
  to.normalizedCoords = (from.flags & HIP_TRSF_NORMALIZED_COORDINATES) != 0 ? 1 : 0;
  to.sRGB = (from.flags & HIP_TRSF_SRGB) != 0 ? 1 : 0;
  to.maxAnisotropy = from.maxAnisotropy;
  to.mipmapFilterMode = static_cast<hipTextureFilterMode>(from.mipmapFilterMode);
  to.mipmapLevelBias = from.mipmapLevelBias;
  to.minMipmapLevelClamp = from.minMipmapLevelClamp;
  to.maxMipmapLevelClamp = from.maxMipmapLevelClamp;
  return to;
}

}  // namespace simt

inline namespace hip_on_cpu {

inline hipError_t hipTexObjectCreate(hipTextureObject_t* object, const HIP_RESOURCE_DESC* resource,
                                     const HIP_TEXTURE_DESC* sampling, const HIP_RESOURCE_VIEW_DESC* view) {
  if (resource == nullptr || sampling == nullptr) return hipErrorInvalidValue;
  const hipResourceDesc source = simt::resource_of(*resource);
  hipChannelFormatDesc element{};
  if (source.resType == hipResourceTypeLinear) element = source.res.linear.desc;
  if (source.resType == hipResourceTypePitch2D) element = source.res.pitch2D.desc;
  if (source.resType == hipResourceTypeArray) {
    if (const hipError_t code = hipGetChannelDesc(&element, source.res.array.array)) return code;
  }
  const hipTextureDesc texture = simt::sampling_of(*sampling, element);
  if (view == nullptr) return hipCreateTextureObject(object, &source, &texture, nullptr);
  const hipResourceViewDesc seen = {static_cast<hipResourceViewFormat>(view->format),
                                    view->width,
                                    view->height,
                                    view->depth,
                                    view->firstMipmapLevel,
                                    view->lastMipmapLevel,
                                    view->firstLayer,
                                    view->lastLayer};
  return hipCreateTextureObject(object, &source, &texture, &seen);
}

inline hipError_t hipTexObjectDestroy(hipTextureObject_t object) { return hipDestroyTextureObject(object); }

inline hipError_t hipTexObjectGetResourceDesc(HIP_RESOURCE_DESC* resource, hipTextureObject_t object) {
  hipResourceDesc from{};
  if (resource == nullptr) return hipErrorInvalidValue;
  if (const hipError_t code = hipGetTextureObjectResourceDesc(&from, object)) return code;
  *resource = {};
  resource->resType = static_cast<HIPresourcetype>(from.resType);
  if (from.resType == hipResourceTypeArray) resource->res.array.hArray = from.res.array.array;
  if (from.resType == hipResourceTypeLinear) {
    const auto& linear = from.res.linear;
    resource->res.linear = {linear.devPtr, simt::format_of_driver(linear.desc), simt::component_count(linear.desc),
                            linear.sizeInBytes};
  }
  if (from.resType == hipResourceTypePitch2D) {
    const auto& rows = from.res.pitch2D;
    resource->res.pitch2D = {
        rows.devPtr,      simt::format_of_driver(rows.desc), simt::component_count(rows.desc), rows.width, rows.height,
        rows.pitchInBytes};
  }
  return hipSuccess;
}

inline hipError_t hipTexObjectGetTextureDesc(HIP_TEXTURE_DESC* sampling, hipTextureObject_t object) {
  hipTextureDesc from{};
  if (sampling == nullptr) return hipErrorInvalidValue;
  if (const hipError_t code = hipGetTextureObjectTextureDesc(&from, object)) return code;
  *sampling = {};
  for (int i = 0; i < 3; ++i) sampling->addressMode[i] = static_cast<HIPaddress_mode>(from.addressMode[i]);
  for (int i = 0; i < 4; ++i) sampling->borderColor[i] = from.borderColor[i];
  sampling->filterMode = static_cast<HIPfilter_mode>(from.filterMode);
  sampling->flags = (from.readMode == hipReadModeElementType ? HIP_TRSF_READ_AS_INTEGER : 0) |
                    (from.normalizedCoords != 0 ? HIP_TRSF_NORMALIZED_COORDINATES : 0) |
                    (from.sRGB != 0 ? HIP_TRSF_SRGB : 0);
  sampling->maxAnisotropy = from.maxAnisotropy;
  sampling->mipmapFilterMode = static_cast<HIPfilter_mode>(from.mipmapFilterMode);
  sampling->mipmapLevelBias = from.mipmapLevelBias;
  sampling->minMipmapLevelClamp = from.minMipmapLevelClamp;
  sampling->maxMipmapLevelClamp = from.maxMipmapLevelClamp;
  return hipSuccess;
}

inline hipError_t hipTexObjectGetResourceViewDesc(HIP_RESOURCE_VIEW_DESC* view, hipTextureObject_t object) {
  hipResourceViewDesc from{};
  if (view == nullptr) return hipErrorInvalidValue;
  if (const hipError_t code = hipGetTextureObjectResourceViewDesc(&from, object)) return code;
  *view = {static_cast<HIPresourceViewFormat>(from.format),
           from.width,
           from.height,
           from.depth,
           from.firstMipmapLevel,
           from.lastMipmapLevel,
           from.firstLayer,
           from.lastLayer,
           {}};
  return hipSuccess;
}

/// A texture reference of a module, which these calls set and bind. A setting counts from the next launch on.
SIMT_API hipError_t hipModuleGetTexRef(textureReference** reference, hipModule_t module, const char* name);
SIMT_API hipError_t hipTexRefSetAddressMode(textureReference* reference, int dimension, hipTextureAddressMode mode);
SIMT_API hipError_t hipTexRefGetAddressMode(hipTextureAddressMode* mode, const textureReference* reference,
                                            int dimension);
SIMT_API hipError_t hipTexRefSetFilterMode(textureReference* reference, hipTextureFilterMode mode);
SIMT_API hipError_t hipTexRefGetFilterMode(hipTextureFilterMode* mode, const textureReference* reference);
/// HIP_TRSF_…
SIMT_API hipError_t hipTexRefSetFlags(textureReference* reference, unsigned flags);
SIMT_API hipError_t hipTexRefGetFlags(unsigned* flags, const textureReference* reference);
/// Of linear memory.
SIMT_API hipError_t hipTexRefSetFormat(textureReference* reference, hipArray_Format format, int components);
SIMT_API hipError_t hipTexRefGetFormat(hipArray_Format* format, int* components, const textureReference* reference);
/// `flags` has to be HIP_TRSA_OVERRIDE_FORMAT.
SIMT_API hipError_t hipTexRefSetArray(textureReference* reference, hipArray_const_t array, unsigned flags);
SIMT_API hipError_t hipTexRefGetArray(hipArray_t* array, const textureReference* reference);
SIMT_API hipError_t hipTexRefSetAddress(size_t* offset, textureReference* reference, hipDeviceptr_t memory,
                                        size_t bytes);
SIMT_API hipError_t hipTexRefSetAddress2D(textureReference* reference, const HIP_ARRAY_DESCRIPTOR* layout,
                                          hipDeviceptr_t memory, size_t pitch);
SIMT_API hipError_t hipTexRefGetAddress(hipDeviceptr_t* memory, const textureReference* reference);
SIMT_API hipError_t hipTexRefSetBorderColor(textureReference* reference, float* color);
SIMT_API hipError_t hipTexRefGetBorderColor(float* color, const textureReference* reference);

// Without effect, or hipErrorNotSupported: there are no mipmapped arrays.
SIMT_API hipError_t hipTexRefSetMaxAnisotropy(textureReference* reference, unsigned most);
SIMT_API hipError_t hipTexRefGetMaxAnisotropy(int* most, const textureReference* reference);
SIMT_API hipError_t hipTexRefSetMipmapFilterMode(textureReference* reference, hipTextureFilterMode mode);
SIMT_API hipError_t hipTexRefGetMipmapFilterMode(hipTextureFilterMode* mode, const textureReference* reference);
SIMT_API hipError_t hipTexRefSetMipmapLevelBias(textureReference* reference, float bias);
SIMT_API hipError_t hipTexRefGetMipmapLevelBias(float* bias, const textureReference* reference);
SIMT_API hipError_t hipTexRefSetMipmapLevelClamp(textureReference* reference, float least, float most);
SIMT_API hipError_t hipTexRefGetMipmapLevelClamp(float* least, float* most, const textureReference* reference);
SIMT_API hipError_t hipTexRefSetMipmappedArray(textureReference* reference, hipMipmappedArray* array, unsigned flags);
SIMT_API hipError_t hipTexRefGetMipMappedArray(hipMipmappedArray_t* array, const textureReference* reference);
SIMT_API hipError_t hipBindTextureToMipmappedArray(const textureReference* reference, hipMipmappedArray_const_t array,
                                                   const hipChannelFormatDesc* element);

}  // namespace hip_on_cpu
