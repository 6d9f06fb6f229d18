// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HIP's calls for texture references as CUDA's driver has them: each setting by a call, before or after binding.
#include <algorithm>

#include "simt/hip/errors.hpp"
#include "simt/hip/image_objects.hpp"

namespace simt {
namespace {

/// Changes a setting, and binds the reference again if it is bound.
template <class Change>
hipError_t set(textureReference* reference, Change change) {
  if (reference == nullptr) return finish(hipErrorInvalidValue);
  change(*reference);
  const auto resource = bound_resource(reference);
  return finish(resource ? bind(reference, *resource) : hipSuccess);
}

template <class Value>
hipError_t get(Value* value, const textureReference* reference, Value textureReference::*member) {
  if (value == nullptr || reference == nullptr) return finish(hipErrorInvalidValue);
  *value = reference->*member;
  return hipSuccess;
}

/// What a reference of this kind of resource is bound to.
std::optional<hipResourceDesc> bound_to(const textureReference* reference, hipResourceType type) {
  const auto resource = bound_resource(reference);
  return resource && resource->resType == type ? resource : std::nullopt;
}

bool is_dimension(int number) { return number >= 0 && number < 3; }

}  // namespace
}  // namespace simt

inline namespace hip_on_cpu {

using simt::finish;

hipError_t hipTexRefSetAddressMode(textureReference* reference, int dimension, hipTextureAddressMode mode) {
  if (!simt::is_dimension(dimension)) return finish(hipErrorInvalidValue);
  return simt::set(reference, [=](textureReference& each) { each.addressMode[dimension] = mode; });
}

hipError_t hipTexRefGetAddressMode(hipTextureAddressMode* mode, const textureReference* reference, int dimension) {
  if (mode == nullptr || reference == nullptr || !simt::is_dimension(dimension)) return finish(hipErrorInvalidValue);
  *mode = reference->addressMode[dimension];
  return hipSuccess;
}

hipError_t hipTexRefSetFilterMode(textureReference* reference, hipTextureFilterMode mode) {
  return simt::set(reference, [=](textureReference& each) { each.filterMode = mode; });
}

hipError_t hipTexRefGetFilterMode(hipTextureFilterMode* mode, const textureReference* reference) {
  return simt::get(mode, reference, &textureReference::filterMode);
}

hipError_t hipTexRefSetFlags(textureReference* reference, unsigned flags) {
  return simt::set(reference, [=](textureReference& each) {
    each.readMode = (flags & HIP_TRSF_READ_AS_INTEGER) != 0 ? hipReadModeElementType : hipReadModeNormalizedFloat;
    each.normalized = (flags & HIP_TRSF_NORMALIZED_COORDINATES) != 0 ? 1 : 0;
    each.sRGB = (flags & HIP_TRSF_SRGB) != 0 ? 1 : 0;
  });
}

hipError_t hipTexRefGetFlags(unsigned* flags, const textureReference* reference) {
  if (flags == nullptr || reference == nullptr) return finish(hipErrorInvalidValue);
  *flags = (reference->readMode == hipReadModeElementType ? HIP_TRSF_READ_AS_INTEGER : 0) |
           (reference->normalized != 0 ? HIP_TRSF_NORMALIZED_COORDINATES : 0) |
           (reference->sRGB != 0 ? HIP_TRSF_SRGB : 0);
  return hipSuccess;
}

hipError_t hipTexRefSetFormat(textureReference* reference, hipArray_Format format, int components) {
  if (components != 1 && components != 2 && components != 4) return finish(hipErrorInvalidValue);
  if (reference == nullptr) return finish(hipErrorInvalidValue);
  // It is heeded when memory is bound.
  reference->format = format;
  reference->numChannels = components;
  return hipSuccess;
}

hipError_t hipTexRefGetFormat(hipArray_Format* format, int* components, const textureReference* reference) {
  if (const hipError_t code = simt::get(format, reference, &textureReference::format)) return code;
  return simt::get(components, reference, &textureReference::numChannels);
}

hipError_t hipTexRefSetArray(textureReference* reference, hipArray_const_t array, unsigned flags) {
  if (reference == nullptr || flags != HIP_TRSA_OVERRIDE_FORMAT) return finish(hipErrorInvalidValue);
  HIP_ARRAY3D_DESCRIPTOR layout{};
  if (const hipError_t code = hipArray3DGetDescriptor(&layout, const_cast<hipArray_t>(array))) return code;
  reference->format = layout.Format;
  reference->numChannels = static_cast<int>(layout.NumChannels);
  hipResourceDesc resource{};
  resource.resType = hipResourceTypeArray;
  resource.res.array.array = const_cast<hipArray_t>(array);
  return finish(simt::bind(reference, resource));
}

hipError_t hipTexRefGetArray(hipArray_t* array, const textureReference* reference) {
  const auto resource = simt::bound_to(reference, hipResourceTypeArray);
  if (array == nullptr || !resource) return finish(hipErrorInvalidValue);
  *array = resource->res.array.array;
  return hipSuccess;
}

hipError_t hipTexRefSetAddress(size_t* offset, textureReference* reference, hipDeviceptr_t memory, size_t bytes) {
  if (reference == nullptr) return finish(hipErrorInvalidValue);
  hipResourceDesc resource{};
  resource.resType = hipResourceTypeLinear;
  resource.res.linear = {memory, simt::element_of(reference->format, static_cast<unsigned>(reference->numChannels)),
                         bytes};
  if (offset != nullptr) *offset = 0;
  return finish(simt::bind(reference, resource));
}

hipError_t hipTexRefSetAddress2D(textureReference* reference, const HIP_ARRAY_DESCRIPTOR* layout, hipDeviceptr_t memory,
                                 size_t pitch) {
  if (reference == nullptr || layout == nullptr) return finish(hipErrorInvalidValue);
  reference->format = layout->Format;
  reference->numChannels = static_cast<int>(layout->NumChannels);
  hipResourceDesc resource{};
  resource.resType = hipResourceTypePitch2D;
  resource.res.pitch2D = {memory, simt::element_of(layout->Format, layout->NumChannels), layout->Width, layout->Height,
                          pitch};
  return finish(simt::bind(reference, resource));
}

hipError_t hipTexRefGetAddress(hipDeviceptr_t* memory, const textureReference* reference) {
  const auto linear = simt::bound_to(reference, hipResourceTypeLinear);
  const auto rows = simt::bound_to(reference, hipResourceTypePitch2D);
  if (memory == nullptr || (!linear && !rows)) return finish(hipErrorInvalidValue);
  *memory = linear ? linear->res.linear.devPtr : rows->res.pitch2D.devPtr;
  return hipSuccess;
}

hipError_t hipTexRefSetBorderColor(textureReference* reference, float* color) {
  if (color == nullptr) return finish(hipErrorInvalidValue);
  return simt::set(reference, [&](const textureReference& each) {
    simt::set_border(&each, {color[0], color[1], color[2], color[3]});
  });
}

hipError_t hipTexRefGetBorderColor(float* color, const textureReference* reference) {
  if (color == nullptr || reference == nullptr) return finish(hipErrorInvalidValue);
  const simt::border_color border = simt::border_of(reference);
  std::copy(border.begin(), border.end(), color);
  return hipSuccess;
}

// Without effect, as there are no mipmapped arrays.

hipError_t hipTexRefSetMaxAnisotropy(textureReference* reference, unsigned most) {
  return simt::set(reference, [=](textureReference& each) { each.maxAnisotropy = most; });
}

hipError_t hipTexRefGetMaxAnisotropy(int* most, const textureReference* reference) {
  if (most == nullptr || reference == nullptr) return finish(hipErrorInvalidValue);
  *most = static_cast<int>(reference->maxAnisotropy);
  return hipSuccess;
}

hipError_t hipTexRefSetMipmapFilterMode(textureReference* reference, hipTextureFilterMode mode) {
  return simt::set(reference, [=](textureReference& each) { each.mipmapFilterMode = mode; });
}

hipError_t hipTexRefGetMipmapFilterMode(hipTextureFilterMode* mode, const textureReference* reference) {
  return simt::get(mode, reference, &textureReference::mipmapFilterMode);
}

hipError_t hipTexRefSetMipmapLevelBias(textureReference* reference, float bias) {
  return simt::set(reference, [=](textureReference& each) { each.mipmapLevelBias = bias; });
}

hipError_t hipTexRefGetMipmapLevelBias(float* bias, const textureReference* reference) {
  return simt::get(bias, reference, &textureReference::mipmapLevelBias);
}

hipError_t hipTexRefSetMipmapLevelClamp(textureReference* reference, float least, float most) {
  return simt::set(reference, [=](textureReference& each) {
    each.minMipmapLevelClamp = least;
    each.maxMipmapLevelClamp = most;
  });
}

hipError_t hipTexRefGetMipmapLevelClamp(float* least, float* most, const textureReference* reference) {
  if (const hipError_t code = simt::get(least, reference, &textureReference::minMipmapLevelClamp)) return code;
  return simt::get(most, reference, &textureReference::maxMipmapLevelClamp);
}

hipError_t hipTexRefSetMipmappedArray(textureReference*, hipMipmappedArray*, unsigned) {
  return finish(hipErrorNotSupported);
}

hipError_t hipTexRefGetMipMappedArray(hipMipmappedArray_t*, const textureReference*) {
  return finish(hipErrorNotSupported);
}

hipError_t hipBindTextureToMipmappedArray(const textureReference*, hipMipmappedArray_const_t,
                                          const hipChannelFormatDesc*) {
  return finish(hipErrorNotSupported);
}

}  // namespace hip_on_cpu
