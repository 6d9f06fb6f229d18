// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HIP's calls for texture and surface objects.
#include "simt/hip/image_objects.hpp"

#include <cstdint>
#include <cstring>

#include "simt/hip/allocations.hpp"
#include "simt/hip/errors.hpp"
#include "simt/machine/observer.hpp"

namespace simt {
namespace {

bool is_aligned(const void* address, std::size_t alignment) {
  return reinterpret_cast<std::uintptr_t>(address) % alignment == 0;
}

/// Whether so many bytes from there on are memory that kernels can use.
bool is_device_memory(const void* begin, std::size_t bytes) {
  const auto memory = allocations::instance().find(begin);
  return memory && bytes <= memory->bytes_from(begin);
}

hipError_t use_array(image_object& object, hipArray_const_t array) {
  const auto layout = find_array(array);
  if (!layout) return hipErrorInvalidHandle;
  object.elements = elements_of(array);
  object.format = layout->format;
  object.width = layout->extent.width;
  object.height = layout->rows();
  object.depth = layout->slices();
  object.row_bytes = layout->row_bytes();
  object.slice_bytes = layout->slice_bytes();
  return hipSuccess;
}

hipError_t use_memory(image_object& object, void* memory, const hipChannelFormatDesc& element) {
  const auto format = format_of(element);
  if (!format) return hipErrorInvalidChannelDescriptor;
  if (memory == nullptr || !is_aligned(memory, texture_alignment)) return hipErrorInvalidValue;
  object.elements = static_cast<char*>(memory);
  object.format = *format;
  object.height = object.depth = 1;
  return hipSuccess;
}

hipError_t use_linear(image_object& object) {
  const auto& linear = object.resource.res.linear;
  const hipError_t code = use_memory(object, linear.devPtr, linear.desc);
  if (code != hipSuccess) return code;
  object.width = linear.sizeInBytes / object.format.bytes();
  object.row_bytes = object.slice_bytes = linear.sizeInBytes;
  const bool fits = object.width > 0 && object.width <= max_linear_elements;
  return fits && is_device_memory(linear.devPtr, linear.sizeInBytes) ? hipSuccess : hipErrorInvalidValue;
}

hipError_t use_rows(image_object& object) {
  const auto& rows = object.resource.res.pitch2D;
  const hipError_t code = use_memory(object, rows.devPtr, rows.desc);
  if (code != hipSuccess) return code;
  if (rows.width == 0 || rows.width > max_array_width || rows.height == 0 || rows.height > max_array_height ||
      rows.pitchInBytes % texture_pitch_alignment != 0) {
    return hipErrorInvalidValue;
  }
  object.width = rows.width;
  object.height = rows.height;
  object.row_bytes = rows.pitchInBytes;
  const std::size_t used = rows.width * object.format.bytes();
  std::size_t bytes = 0;
  if (used > rows.pitchInBytes || __builtin_mul_overflow(rows.pitchInBytes, rows.height - 1, &bytes) ||
      __builtin_add_overflow(bytes, used, &bytes) || !is_device_memory(rows.devPtr, bytes)) {
    return hipErrorInvalidValue;
  }
  object.slice_bytes = bytes;
  return hipSuccess;
}

hipError_t use_resource(image_object& object) {
  switch (object.resource.resType) {
    case hipResourceTypeArray:
      return use_array(object, object.resource.res.array.array);
    case hipResourceTypeLinear:
      return use_linear(object);
    case hipResourceTypePitch2D:
      return use_rows(object);
    case hipResourceTypeMipmappedArray:
      return hipErrorNotSupported;
  }
  return hipErrorInvalidValue;
}

/// The format that a view gives to elements of as many bytes, and the layers that it shows.
hipError_t use_view(image_object& object) {
  const hipResourceViewDesc& view = object.view;
  if (object.resource.resType != hipResourceTypeArray) return hipErrorInvalidValue;
  if (view.format != hipResViewFormatNone) {
    constexpr element_format formats[] = {
        {hipChannelFormatKindUnsigned, 1, 1}, {hipChannelFormatKindSigned, 1, 1},
        {hipChannelFormatKindUnsigned, 1, 2}, {hipChannelFormatKindSigned, 1, 2},
        {hipChannelFormatKindUnsigned, 1, 4}, {hipChannelFormatKindSigned, 1, 4},
        {hipChannelFormatKindFloat, 1, 2},    {hipChannelFormatKindFloat, 1, 4},
    };
    constexpr unsigned components[] = {1, 2, 4};
    if (view.format > hipResViewFormatFloat4) return hipErrorNotSupported;  // compressed blocks
    const int number = view.format - 1;
    if (number < 0) return hipErrorInvalidValue;
    element_format format = formats[number / 3];
    format.components = components[number % 3];
    if (format.bytes() != object.format.bytes()) return hipErrorInvalidValue;
    object.format = format;
  }
  if (view.firstLayer > view.lastLayer || view.lastLayer >= object.depth) return hipErrorInvalidValue;
  if (view.lastLayer > 0) {
    object.elements += view.firstLayer * object.slice_bytes;
    object.depth = view.lastLayer - view.firstLayer + 1;
  }
  return hipSuccess;
}

bool is_sampling_known(const hipTextureDesc& sampling) {
  for (const hipTextureAddressMode mode : sampling.addressMode) {
    if (mode < hipAddressModeWrap || mode > hipAddressModeBorder) return false;
  }
  return (sampling.filterMode == hipFilterModePoint || sampling.filterMode == hipFilterModeLinear) &&
         (sampling.readMode == hipReadModeElementType || sampling.readMode == hipReadModeNormalizedFloat);
}

/// A copy that kernels can read.
template <class Handle>
hipError_t store(Handle* handle, const image_object& object) {
  void* memory = nullptr;
  const hipError_t code = allocations::instance().allocate(&memory, sizeof object, memory_kind::object, 0);
  if (code != hipSuccess) return code;
  std::memcpy(memory, &object, sizeof object);
  if (memory_observer* const observer = host_memory_observer()) observer->write_from_host(memory, sizeof object);
  *handle = static_cast<Handle>(memory);
  return hipSuccess;
}

hipError_t destroy(void* handle) {
  if (handle == nullptr || allocations::instance().remove(handle, memory_kind::object)) return hipSuccess;
  if (memory_observer* const observer = host_memory_observer()) observer->fail_to_free(handle);
  return hipErrorInvalidValue;
}

/// Null for a handle that is not one.
const image_object* find_object(const void* handle) {
  const auto memory = allocations::instance().find(handle);
  if (!memory || memory->kind != memory_kind::object || memory->begin != handle) return nullptr;
  return static_cast<const image_object*>(handle);
}

}  // namespace

hipError_t fill_in(image_object& object) {
  const hipError_t code = use_resource(object);
  if (code != hipSuccess) return code;
  if (object.has_view) {
    const hipError_t of_view = use_view(object);
    if (of_view != hipSuccess) return of_view;
  }
  if (!is_sampling_known(object.sampling)) return hipErrorInvalidValue;
  // Integers have no mean.
  return object.sampling.filterMode == hipFilterModeLinear && !object.gives_floats() ? hipErrorInvalidValue
                                                                                     : hipSuccess;
}

}  // namespace simt

inline namespace hip_on_cpu {

using simt::finish;
using simt::image_object;

hipError_t hipCreateTextureObject(hipTextureObject_t* object, const hipResourceDesc* resource,
                                  const hipTextureDesc* sampling, const hipResourceViewDesc* view) {
  if (object == nullptr || resource == nullptr || sampling == nullptr) return finish(hipErrorInvalidValue);
  image_object made{};
  made.resource = *resource;
  made.sampling = *sampling;
  made.has_view = view != nullptr;
  if (view != nullptr) made.view = *view;
  const hipError_t code = simt::fill_in(made);
  return finish(code != hipSuccess ? code : simt::store(object, made));
}

hipError_t hipDestroyTextureObject(hipTextureObject_t object) {
  return simt::finish_without_finding(simt::destroy(object));
}

hipError_t hipGetTextureObjectResourceDesc(hipResourceDesc* resource, hipTextureObject_t object) {
  const image_object* const found = simt::find_object(object);
  if (found == nullptr || resource == nullptr) return finish(hipErrorInvalidValue);
  *resource = found->resource;
  return hipSuccess;
}

hipError_t hipGetTextureObjectTextureDesc(hipTextureDesc* sampling, hipTextureObject_t object) {
  const image_object* const found = simt::find_object(object);
  if (found == nullptr || sampling == nullptr) return finish(hipErrorInvalidValue);
  *sampling = found->sampling;
  return hipSuccess;
}

hipError_t hipGetTextureObjectResourceViewDesc(hipResourceViewDesc* view, hipTextureObject_t object) {
  const image_object* const found = simt::find_object(object);
  if (found == nullptr || view == nullptr || !found->has_view) return finish(hipErrorInvalidValue);
  *view = found->view;
  return hipSuccess;
}

hipError_t hipCreateSurfaceObject(hipSurfaceObject_t* object, const hipResourceDesc* resource) {
  if (object == nullptr || resource == nullptr || resource->resType != hipResourceTypeArray) {
    return finish(hipErrorInvalidValue);
  }
  image_object made{};
  made.resource = *resource;
  const hipError_t code = simt::fill_in(made);
  return finish(code != hipSuccess ? code : simt::store(object, made));
}

hipError_t hipDestroySurfaceObject(hipSurfaceObject_t object) {
  return simt::finish_without_finding(simt::destroy(object));
}

}  // namespace hip_on_cpu
