// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HIP's calls for texture references: variables that the program binds to memory or to an array.
#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>

#include "simt/hip/allocations.hpp"
#include "simt/hip/errors.hpp"
#include "simt/hip/image_objects.hpp"
#include "simt/hip/images.hpp"

namespace simt {
namespace {

struct bound_references {
  std::mutex one_thread;
  std::map<const textureReference*, std::unique_ptr<image_object>> objects;
  std::map<const textureReference*, border_color> borders;
};

bound_references& references() {
  static auto* const only = new bound_references;
  return *only;
}

hipTextureDesc sampling_of(const textureReference& reference, const border_color& border) {
  hipTextureDesc sampling{};
  std::memcpy(sampling.addressMode, reference.addressMode, sizeof sampling.addressMode);
  sampling.filterMode = reference.filterMode;
  sampling.readMode = reference.readMode;
  sampling.sRGB = reference.sRGB;
  sampling.normalizedCoords = reference.normalized;
  std::copy(border.begin(), border.end(), sampling.borderColor);
  return sampling;
}

/// What kernels see of the variable, too.
void set_object(const textureReference* reference, const image_object* object) {
  textureReference& host = const_cast<textureReference&>(*reference);
  host.textureObject = reinterpret_cast<hipTextureObject_t>(const_cast<image_object*>(object));
  void* const device = device_address(reference);
  if (device != reference) std::memcpy(device, &host, sizeof host);
}

hipError_t bind_at_begin(size_t* offset, const textureReference* reference, const hipResourceDesc& resource) {
  const hipError_t code = simt::bind(reference, resource);
  if (code == hipSuccess && offset != nullptr) *offset = 0;
  return code;
}

}  // namespace

hipError_t bind(const textureReference* reference, const hipResourceDesc& resource) {
  if (reference == nullptr) return hipErrorInvalidValue;
  image_object made{};
  made.resource = resource;
  made.sampling = sampling_of(*reference, border_of(reference));
  const hipError_t code = fill_in(made);
  if (code != hipSuccess) return code;
  // Floats are what they are, also where the driver's flags do not say so.
  if (made.format.kind == hipChannelFormatKindFloat) made.sampling.readMode = hipReadModeElementType;
  bound_references& all = references();
  const std::lock_guard<std::mutex> lock(all.one_thread);
  std::unique_ptr<image_object>& bound = all.objects[reference];
  bound = std::make_unique<image_object>(made);
  set_object(reference, bound.get());
  return hipSuccess;
}

std::optional<hipResourceDesc> bound_resource(const textureReference* reference) {
  bound_references& all = references();
  const std::lock_guard<std::mutex> lock(all.one_thread);
  const auto found = all.objects.find(reference);
  if (found == all.objects.end()) return {};
  return found->second->resource;
}

border_color border_of(const textureReference* reference) {
  bound_references& all = references();
  const std::lock_guard<std::mutex> lock(all.one_thread);
  const auto found = all.borders.find(reference);
  return found != all.borders.end() ? found->second : border_color{};
}

void set_border(const textureReference* reference, const border_color& color) {
  bound_references& all = references();
  const std::lock_guard<std::mutex> lock(all.one_thread);
  all.borders[reference] = color;
}

}  // namespace simt

inline namespace hip_on_cpu {

using simt::finish;

hipError_t hipBindTexture(size_t* offset, const textureReference* reference, const void* memory,
                          const hipChannelFormatDesc* element, size_t bytes) {
  if (element == nullptr) return finish(hipErrorInvalidValue);
  hipResourceDesc resource{};
  resource.resType = hipResourceTypeLinear;
  auto& linear = resource.res.linear;
  linear.devPtr = const_cast<void*>(memory);
  linear.desc = *element;
  linear.sizeInBytes = bytes;
  // The default: as much as there is.
  const auto found = simt::allocations::instance().find(memory);
  if (bytes == UINT_MAX && found) linear.sizeInBytes = found->bytes_from(memory);
  return finish(simt::bind_at_begin(offset, reference, resource));
}

hipError_t hipBindTexture2D(size_t* offset, const textureReference* reference, const void* memory,
                            const hipChannelFormatDesc* element, size_t width, size_t height, size_t pitch) {
  if (element == nullptr) return finish(hipErrorInvalidValue);
  hipResourceDesc resource{};
  resource.resType = hipResourceTypePitch2D;
  resource.res.pitch2D = {const_cast<void*>(memory), *element, width, height, pitch};
  return finish(simt::bind_at_begin(offset, reference, resource));
}

hipError_t hipBindTextureToArray(const textureReference* reference, hipArray_const_t array,
                                 const hipChannelFormatDesc* element) {
  if (element == nullptr) return finish(hipErrorInvalidValue);
  const auto layout = simt::find_array(array);
  if (!layout) return finish(hipErrorInvalidHandle);
  const hipChannelFormatDesc own = simt::descriptor_of(layout->format);
  if (std::memcmp(&own, element, sizeof own) != 0) return finish(hipErrorInvalidValue);
  hipResourceDesc resource{};
  resource.resType = hipResourceTypeArray;
  resource.res.array.array = const_cast<hipArray_t>(array);
  return finish(simt::bind(reference, resource));
}

hipError_t hipUnbindTexture(const textureReference* reference) {
  if (reference == nullptr) return finish(hipErrorInvalidValue);
  simt::bound_references& all = simt::references();
  const std::lock_guard<std::mutex> lock(all.one_thread);
  if (all.objects.erase(reference) != 0) simt::set_object(reference, nullptr);
  return hipSuccess;
}

hipError_t hipGetTextureAlignmentOffset(size_t* offset, const textureReference* reference) {
  if (offset == nullptr || reference == nullptr) return finish(hipErrorInvalidValue);
  if (reference->textureObject == nullptr) return finish(hipErrorInvalidTexture);
  *offset = 0;
  return hipSuccess;
}

hipError_t hipGetTextureReference(const textureReference** reference, const void* symbol) {
  if (reference == nullptr || symbol == nullptr) return finish(hipErrorInvalidValue);
  *reference = static_cast<const textureReference*>(symbol);
  return hipSuccess;
}

}  // namespace hip_on_cpu
