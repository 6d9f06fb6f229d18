// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How kernels read textures: each function by a texture object, also with a pointer to the result, and by a texture
// reference.
//
// Mipmaps do not exist here, so a level of detail or a gradient changes nothing.
#pragma once

#include "hip/detail/texture_types.h"
#include "simt/textures.hpp"

SIMT_BOTH_SIDES_BEGIN

namespace simt {

template <class _Component>
_Component component_of(unsigned word) {
  if constexpr (std::is_floating_point_v<_Component>) {
    return __builtin_bit_cast(float, word);
  } else {
    return static_cast<_Component>(word);
  }
}

template <class _Tp>
__forceinline__ _Tp value_of(const texel& from) {
  using component = typename components_of<_Tp>::type;
  constexpr int count = components_of<_Tp>::count;
  static_assert((std::is_integral_v<component> || std::is_same_v<component, float>)&&sizeof(component) <= 4 &&
                    (count == 1 || count == 2 || count == 4),
                "a texture is read as integers of 8, 16 or 32 bits or as floats, by 1, 2 or 4 of them");
  if constexpr (std::is_arithmetic_v<_Tp>) {
    return component_of<_Tp>(from.words[0]);
  } else {
    _Tp value{};
    value.x = component_of<component>(from.words[0]);
    if constexpr (count > 1) value.y = component_of<component>(from.words[1]);
    if constexpr (count > 2) value.z = component_of<component>(from.words[2]);
    if constexpr (count > 2) value.w = component_of<component>(from.words[3]);
    return value;
  }
}

/// What a texture reference gives.
template <class _Tp, hipTextureReadMode _mode, int _count = components_of<_Tp>::count>
struct read_result {
  using type =
      std::conditional_t<_mode == hipReadModeElementType, _Tp,
                         std::conditional_t<_count == 1, float, std::conditional_t<_count == 2, float2, float4>>>;
};

}  // namespace simt

#define SIMT_LIST(...) __VA_ARGS__
#define SIMT_TEXTURE_FUNCTION(name, dimensions, parameters, arguments)                                         \
  template <class _Tp>                                                                                         \
  __device__ __forceinline__ _Tp name(hipTextureObject_t object, SIMT_LIST parameters) {                       \
    return simt::value_of<_Tp>(arguments);                                                                     \
  }                                                                                                            \
  template <class _Tp>                                                                                         \
  __device__ __forceinline__ void name(_Tp* result, hipTextureObject_t object, SIMT_LIST parameters) {         \
    *result = simt::value_of<_Tp>(arguments);                                                                  \
  }                                                                                                            \
  template <class _Tp, hipTextureReadMode _mode>                                                               \
  __device__ __forceinline__ auto name(const texture<_Tp, dimensions, _mode>& reference, SIMT_LIST parameters) \
      ->typename simt::read_result<_Tp, _mode>::type {                                                         \
    const hipTextureObject_t object = reference.textureObject;                                                 \
    return simt::value_of<typename simt::read_result<_Tp, _mode>::type>(arguments);                            \
  }

// A function and its forms with a level and with gradients, whose type is `slope`.
#define SIMT_SAMPLE(name, dimensions, slope, parameters, arguments)                                \
  SIMT_TEXTURE_FUNCTION(name, dimensions, parameters, arguments)                                   \
  SIMT_TEXTURE_FUNCTION(name##Lod, dimensions, (SIMT_LIST parameters, float /*level*/), arguments) \
  SIMT_TEXTURE_FUNCTION(name##Grad, dimensions, (SIMT_LIST parameters, slope /*dx*/, slope /*dy*/), arguments)

SIMT_TEXTURE_FUNCTION(tex1Dfetch, hipTextureType1D, (int x), simt::fetch_texel(object, x))
SIMT_SAMPLE(tex1D, hipTextureType1D, float, (float x), simt::sample_texture(object, 1, x, 0, 0, 0))
SIMT_SAMPLE(tex2D, hipTextureType2D, float2, (float x, float y), simt::sample_texture(object, 2, x, y, 0, 0))
SIMT_SAMPLE(tex3D, hipTextureType3D, float4, (float x, float y, float z), simt::sample_texture(object, 3, x, y, z, 0))
SIMT_SAMPLE(tex1DLayered, hipTextureType1DLayered, float, (float x, int layer),
            simt::sample_texture(object, 1, x, 0, 0, layer))
SIMT_SAMPLE(tex2DLayered, hipTextureType2DLayered, float2, (float x, float y, int layer),
            simt::sample_texture(object, 2, x, y, 0, layer))
SIMT_SAMPLE(texCubemap, hipTextureTypeCubemap, float4, (float x, float y, float z),
            simt::sample_cubemap(object, x, y, z, 0))
SIMT_SAMPLE(texCubemapLayered, hipTextureTypeCubemapLayered, float4, (float x, float y, float z, int layer),
            simt::sample_cubemap(object, x, y, z, layer))
SIMT_TEXTURE_FUNCTION(tex2Dgather, hipTextureType2D, (float x, float y, int component = 0),
                      simt::gather_texels(object, x, y, static_cast<unsigned>(component)))

#undef SIMT_SAMPLE
#undef SIMT_TEXTURE_FUNCTION
#undef SIMT_LIST

SIMT_BOTH_SIDES_END
