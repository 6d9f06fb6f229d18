// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Textures: what one reads (hipResourceDesc), how (hipTextureDesc), and references to textures by global variables.
#pragma once

#include "hip/detail/array_types.h"
#include "hip/detail/channel_descriptor.h"

#define hipTextureType1D 0x01
#define hipTextureType2D 0x02
#define hipTextureType3D 0x03
#define hipTextureTypeCubemap 0x0C
#define hipTextureType1DLayered 0xF1
#define hipTextureType2DLayered 0xF2
#define hipTextureTypeCubemapLayered 0xFC

typedef struct __hip_texture* hipTextureObject_t;

enum hipTextureAddressMode : int {
  hipAddressModeWrap = 0,
  hipAddressModeClamp = 1,
  hipAddressModeMirror = 2,
  hipAddressModeBorder = 3
};

enum hipTextureFilterMode : int { hipFilterModePoint = 0, hipFilterModeLinear = 1 };

enum hipTextureReadMode : int { hipReadModeElementType = 0, hipReadModeNormalizedFloat = 1 };

enum hipResourceType : int {
  hipResourceTypeArray = 0,
  hipResourceTypeMipmappedArray = 1,
  hipResourceTypeLinear = 2,
  hipResourceTypePitch2D = 3
};

struct hipResourceDesc {
  hipResourceType resType;
  union {
    struct {
      hipArray_t array;
    } array;
    struct {
      hipMipmappedArray_t mipmap;
    } mipmap;
    struct {
      void* devPtr;
      hipChannelFormatDesc desc;
      size_t sizeInBytes;
    } linear;
    /// Width and height are in elements.
    struct {
      void* devPtr;
      hipChannelFormatDesc desc;
      size_t width;
      size_t height;
      size_t pitchInBytes;
    } pitch2D;
  } res;
};

struct hipTextureDesc {
  hipTextureAddressMode addressMode[3];
  hipTextureFilterMode filterMode;
  hipTextureReadMode readMode;
  int sRGB;  ///< elements of unsigned bytes that are read as floats are sRGB colours, and become linear ones
  float borderColor[4];
  int normalizedCoords;
  unsigned maxAnisotropy;
  hipTextureFilterMode mipmapFilterMode;
  float mipmapLevelBias;
  float minMipmapLevelClamp;
  float maxMipmapLevelClamp;
};

/// For the first 24 formats: a component's type in three of them, with 1, 2 and 4 components.
enum hipResourceViewFormat : int {
  hipResViewFormatNone = 0x00,
  hipResViewFormatUnsignedChar1 = 0x01,
  hipResViewFormatUnsignedChar2 = 0x02,
  hipResViewFormatUnsignedChar4 = 0x03,
  hipResViewFormatSignedChar1 = 0x04,
  hipResViewFormatSignedChar2 = 0x05,
  hipResViewFormatSignedChar4 = 0x06,
  hipResViewFormatUnsignedShort1 = 0x07,
  hipResViewFormatUnsignedShort2 = 0x08,
  hipResViewFormatUnsignedShort4 = 0x09,
  hipResViewFormatSignedShort1 = 0x0a,
  hipResViewFormatSignedShort2 = 0x0b,
  hipResViewFormatSignedShort4 = 0x0c,
  hipResViewFormatUnsignedInt1 = 0x0d,
  hipResViewFormatUnsignedInt2 = 0x0e,
  hipResViewFormatUnsignedInt4 = 0x0f,
  hipResViewFormatSignedInt1 = 0x10,
  hipResViewFormatSignedInt2 = 0x11,
  hipResViewFormatSignedInt4 = 0x12,
  hipResViewFormatHalf1 = 0x13,
  hipResViewFormatHalf2 = 0x14,
  hipResViewFormatHalf4 = 0x15,
  hipResViewFormatFloat1 = 0x16,
  hipResViewFormatFloat2 = 0x17,
  hipResViewFormatFloat4 = 0x18,
  hipResViewFormatUnsignedBlockCompressed1 = 0x19,
  hipResViewFormatUnsignedBlockCompressed2 = 0x1a,
  hipResViewFormatUnsignedBlockCompressed3 = 0x1b,
  hipResViewFormatUnsignedBlockCompressed4 = 0x1c,
  hipResViewFormatSignedBlockCompressed4 = 0x1d,
  hipResViewFormatUnsignedBlockCompressed5 = 0x1e,
  hipResViewFormatSignedBlockCompressed5 = 0x1f,
  hipResViewFormatUnsignedBlockCompressed6H = 0x20,
  hipResViewFormatSignedBlockCompressed6H = 0x21,
  hipResViewFormatUnsignedBlockCompressed7 = 0x22
};

struct hipResourceViewDesc {
  hipResourceViewFormat format;
  size_t width;
  size_t height;
  size_t depth;
  unsigned firstMipmapLevel;
  unsigned lastMipmapLevel;
  unsigned firstLayer;
  unsigned lastLayer;
};

/// What the host binds to memory, and kernels read by. The program sets the first fields before it binds.
struct textureReference {
  int normalized;
  hipTextureReadMode readMode;
  hipTextureFilterMode filterMode;
  hipTextureAddressMode addressMode[3];
  hipChannelFormatDesc channelDesc;
  int sRGB;
  unsigned maxAnisotropy;
  hipTextureFilterMode mipmapFilterMode;
  float mipmapLevelBias;
  float minMipmapLevelClamp;
  float maxMipmapLevelClamp;
  hipTextureObject_t textureObject;  ///< null: nothing is bound
  int numChannels;
  hipArray_Format format;
};

typedef textureReference* hipTexRef;

// Clang makes a variable of this type for the host, and one of the same name for the device.
#if defined(__HIP__) || defined(__CUDA__)
#define SIMT_TEXTURE_TYPE __attribute__((device_builtin_texture_type))
#else
#define SIMT_TEXTURE_TYPE
#endif

template <class _Tp, int _type = hipTextureType1D, hipTextureReadMode _mode = hipReadModeElementType>
struct SIMT_TEXTURE_TYPE texture : textureReference {
  constexpr texture(int normalized_coordinates, hipTextureFilterMode filter, hipTextureAddressMode address,
                    hipChannelFormatDesc element)
      : textureReference{normalized_coordinates,
                         _mode,
                         filter,
                         {address, address, address},
                         element,
                         0,
                         0,
                         hipFilterModePoint,
                         0,
                         0,
                         0,
                         nullptr,
                         simt::components_of<_Tp>::count,
                         HIP_AD_FORMAT_FLOAT} {}

  constexpr texture(int normalized_coordinates = 0, hipTextureFilterMode filter = hipFilterModePoint,
                    hipTextureAddressMode address = hipAddressModeClamp)
      : texture(normalized_coordinates, filter, address, hipCreateChannelDesc<_Tp>()) {}
};
