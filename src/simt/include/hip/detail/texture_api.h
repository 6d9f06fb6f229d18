// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HIP's calls for textures and surfaces. Included by hip_runtime_api.h.
//
// An object keeps what it was made of: the array or memory has to outlive it. A texture reference that is bound has a
// texture object of its own, until it is bound again or unbound.
#pragma once

#include <climits>

#include "hip/detail/surface_types.h"
#include "hip/detail/texture_types.h"

inline namespace hip_on_cpu {

SIMT_ALLOCATION_API hipError_t hipCreateTextureObject(hipTextureObject_t* object, const hipResourceDesc* resource,
                                                      const hipTextureDesc* sampling, const hipResourceViewDesc* view);
/// Null is allowed.
SIMT_ALLOCATION_API hipError_t hipDestroyTextureObject(hipTextureObject_t object);
SIMT_API hipError_t hipGetTextureObjectResourceDesc(hipResourceDesc* resource, hipTextureObject_t object);
SIMT_API hipError_t hipGetTextureObjectTextureDesc(hipTextureDesc* sampling, hipTextureObject_t object);
SIMT_API hipError_t hipGetTextureObjectResourceViewDesc(hipResourceViewDesc* view, hipTextureObject_t object);

SIMT_ALLOCATION_API hipError_t hipCreateSurfaceObject(hipSurfaceObject_t* object, const hipResourceDesc* resource);
SIMT_ALLOCATION_API hipError_t hipDestroySurfaceObject(hipSurfaceObject_t object);

// Texture references. The offset to add to indexes is 0 always: memory has to be aligned as the device says.

SIMT_API hipError_t hipBindTexture(size_t* offset, const textureReference* reference, const void* memory,
                                   const hipChannelFormatDesc* element, size_t bytes = UINT_MAX);
SIMT_API hipError_t hipBindTexture2D(size_t* offset, const textureReference* reference, const void* memory,
                                     const hipChannelFormatDesc* element, size_t width, size_t height, size_t pitch);
SIMT_API hipError_t hipBindTextureToArray(const textureReference* reference, hipArray_const_t array,
                                          const hipChannelFormatDesc* element);
SIMT_API hipError_t hipUnbindTexture(const textureReference* reference);
SIMT_API hipError_t hipGetTextureAlignmentOffset(size_t* offset, const textureReference* reference);
SIMT_API hipError_t hipGetTextureReference(const textureReference** reference, const void* symbol);

template <class _Tp, int _type, hipTextureReadMode _mode>
hipError_t hipBindTexture(size_t* offset, const texture<_Tp, _type, _mode>& reference, const void* memory,
                          size_t bytes = UINT_MAX) {
  return hipBindTexture(offset, &reference, memory, &reference.channelDesc, bytes);
}

template <class _Tp, int _type, hipTextureReadMode _mode>
hipError_t hipBindTexture(size_t* offset, const texture<_Tp, _type, _mode>& reference, const void* memory,
                          const hipChannelFormatDesc& element, size_t bytes = UINT_MAX) {
  return hipBindTexture(offset, &reference, memory, &element, bytes);
}

template <class _Tp, int _type, hipTextureReadMode _mode>
hipError_t hipBindTexture2D(size_t* offset, const texture<_Tp, _type, _mode>& reference, const void* memory,
                            size_t width, size_t height, size_t pitch) {
  return hipBindTexture2D(offset, &reference, memory, &reference.channelDesc, width, height, pitch);
}

template <class _Tp, int _type, hipTextureReadMode _mode>
hipError_t hipBindTexture2D(size_t* offset, const texture<_Tp, _type, _mode>& reference, const void* memory,
                            const hipChannelFormatDesc& element, size_t width, size_t height, size_t pitch) {
  return hipBindTexture2D(offset, &reference, memory, &element, width, height, pitch);
}

template <class _Tp, int _type, hipTextureReadMode _mode>
hipError_t hipBindTextureToArray(const texture<_Tp, _type, _mode>& reference, hipArray_const_t array,
                                 const hipChannelFormatDesc& element) {
  return hipBindTextureToArray(&reference, array, &element);
}

template <class _Tp, int _type, hipTextureReadMode _mode>
hipError_t hipUnbindTexture(const texture<_Tp, _type, _mode>& reference) {
  return hipUnbindTexture(&reference);
}

/// With the array's own elements.
template <class _Tp, int _type, hipTextureReadMode _mode>
hipError_t hipBindTextureToArray(const texture<_Tp, _type, _mode>& reference, hipArray_const_t array) {
  hipChannelFormatDesc element{};
  const hipError_t code = hipGetChannelDesc(&element, array);
  return code != hipSuccess ? code : hipBindTextureToArray(&reference, array, &element);
}

}  // namespace hip_on_cpu
