// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HIP's calls that allocate and describe arrays.
#include "simt/hip/arrays.hpp"

#include <map>
#include <mutex>

#include "simt/hip/allocations.hpp"
#include "simt/hip/errors.hpp"
#include "simt/machine/observer.hpp"

namespace simt {
namespace {

struct known_arrays {
  std::mutex one_thread;
  std::map<const void*, array_layout> layouts;  ///< also of some that exist no longer: the memory says which do
};

known_arrays& arrays() {
  // Never destroyed: a static object of the program may free its arrays late.
  static auto* const only = new known_arrays;
  return *only;
}

bool is_extent_allowed(const hipExtent& extent, unsigned flags) {
  const bool is_layered = (flags & hipArrayLayered) != 0;
  const bool is_cube = (flags & hipArrayCubemap) != 0;
  if (extent.width == 0 || extent.width > max_array_width || extent.height > max_array_height ||
      extent.depth > max_array_depth) {
    return false;
  }
  if (extent.height == 0 && extent.depth != 0 && !is_layered) return false;
  if (is_layered && extent.depth == 0) return false;
  constexpr std::size_t faces = 6;
  if (is_cube && (extent.width != extent.height || extent.depth % faces != 0 || extent.depth == 0)) return false;
  if (is_cube && !is_layered && extent.depth != faces) return false;
  const bool is_gathered = (flags & hipArrayTextureGather) != 0;
  return !is_gathered || (extent.height != 0 && extent.depth == 0);
}

bool are_flags_allowed(unsigned flags) {
  constexpr unsigned all = hipArrayLayered | hipArraySurfaceLoadStore | hipArrayCubemap | hipArrayTextureGather;
  const bool is_gathered = (flags & hipArrayTextureGather) != 0;
  return (flags & ~all) == 0 && !(is_gathered && flags != hipArrayTextureGather);
}

hipError_t create(hipArray_t* array, const std::optional<element_format>& format, const hipExtent& extent,
                  unsigned flags) {
  if (array == nullptr || !format || !are_flags_allowed(flags) || !is_extent_allowed(extent, flags)) {
    return hipErrorInvalidValue;
  }
  const array_layout layout{*format, extent, flags};
  void* memory = nullptr;
  const hipError_t code = allocations::instance().allocate(&memory, layout.bytes(), memory_kind::array, 0);
  if (code != hipSuccess) return code;
  known_arrays& all = arrays();
  const std::lock_guard<std::mutex> lock(all.one_thread);
  all.layouts.insert_or_assign(memory, layout);
  *array = static_cast<hipArray_t>(memory);
  return hipSuccess;
}

std::optional<element_format> format_by_number(hipArray_Format format, unsigned components) {
  const auto element = [components](hipChannelFormatKind kind, unsigned bytes) -> std::optional<element_format> {
    if (components != 1 && components != 2 && components != 4) return std::nullopt;
    return element_format{kind, components, bytes};
  };
  switch (format) {
    case HIP_AD_FORMAT_UNSIGNED_INT8:
      return element(hipChannelFormatKindUnsigned, 1);
    case HIP_AD_FORMAT_UNSIGNED_INT16:
      return element(hipChannelFormatKindUnsigned, 2);
    case HIP_AD_FORMAT_UNSIGNED_INT32:
      return element(hipChannelFormatKindUnsigned, 4);
    case HIP_AD_FORMAT_SIGNED_INT8:
      return element(hipChannelFormatKindSigned, 1);
    case HIP_AD_FORMAT_SIGNED_INT16:
      return element(hipChannelFormatKindSigned, 2);
    case HIP_AD_FORMAT_SIGNED_INT32:
      return element(hipChannelFormatKindSigned, 4);
    case HIP_AD_FORMAT_HALF:
      return element(hipChannelFormatKindFloat, 2);
    case HIP_AD_FORMAT_FLOAT:
      return element(hipChannelFormatKindFloat, 4);
  }
  return std::nullopt;
}

hipArray_Format number_of(const element_format& format) {
  const unsigned size = format.component_bytes == 4 ? 2 : format.component_bytes - 1;
  if (format.kind == hipChannelFormatKindFloat) return size == 2 ? HIP_AD_FORMAT_FLOAT : HIP_AD_FORMAT_HALF;
  const int first = format.kind == hipChannelFormatKindSigned ? HIP_AD_FORMAT_SIGNED_INT8 : HIP_AD_FORMAT_UNSIGNED_INT8;
  return static_cast<hipArray_Format>(first + static_cast<int>(size));
}

}  // namespace

std::optional<element_format> format_of(const hipChannelFormatDesc& element) {
  const int bits = element.x;
  const bool is_float = element.f == hipChannelFormatKindFloat;
  if (!is_float && element.f != hipChannelFormatKindSigned && element.f != hipChannelFormatKindUnsigned) {
    return std::nullopt;
  }
  if (bits != 16 && bits != 32 && (bits != 8 || is_float)) return std::nullopt;
  for (const unsigned components : {1U, 2U, 4U}) {
    const element_format format{element.f, components, static_cast<unsigned>(bits) / 8};
    const hipChannelFormatDesc whole = descriptor_of(format);
    if (whole.y == element.y && whole.z == element.z && whole.w == element.w) return format;
  }
  return std::nullopt;
}

hipChannelFormatDesc descriptor_of(const element_format& format) {
  const int bits = static_cast<int>(8 * format.component_bytes);
  return {bits, format.components > 1 ? bits : 0, format.components > 2 ? bits : 0, format.components > 2 ? bits : 0,
          format.kind};
}

std::optional<array_layout> find_array(hipArray_const_t array) {
  const auto memory = allocations::instance().find(array);
  if (!memory || memory->kind != memory_kind::array || memory->begin != elements_of(array)) return std::nullopt;
  known_arrays& all = arrays();
  const std::lock_guard<std::mutex> lock(all.one_thread);
  return all.layouts.at(array);
}

}  // namespace simt

inline namespace hip_on_cpu {

using simt::finish;

hipError_t hipMalloc3DArray(hipArray_t* array, const hipChannelFormatDesc* element, hipExtent extent, unsigned flags) {
  if (element == nullptr) return finish(hipErrorInvalidValue);
  return finish(simt::create(array, simt::format_of(*element), extent, flags));
}

hipError_t hipMallocArray(hipArray_t* array, const hipChannelFormatDesc* element, size_t width, size_t height,
                          unsigned flags) {
  return hipMalloc3DArray(array, element, {width, height, 0}, flags);
}

hipError_t hipArray3DCreate(hipArray_t* array, const HIP_ARRAY3D_DESCRIPTOR* descriptor) {
  if (descriptor == nullptr) return finish(hipErrorInvalidValue);
  return finish(simt::create(array, simt::format_by_number(descriptor->Format, descriptor->NumChannels),
                             {descriptor->Width, descriptor->Height, descriptor->Depth}, descriptor->Flags));
}

hipError_t hipArrayCreate(hipArray_t* array, const HIP_ARRAY_DESCRIPTOR* descriptor) {
  if (descriptor == nullptr) return finish(hipErrorInvalidValue);
  return finish(simt::create(array, simt::format_by_number(descriptor->Format, descriptor->NumChannels),
                             {descriptor->Width, descriptor->Height, 0}, hipArrayDefault));
}

hipError_t hipFreeArray(hipArray_t array) {
  using simt::finish_without_finding;
  if (array == nullptr) return finish_without_finding(hipErrorInvalidValue);
  if (simt::allocations::instance().remove(array, simt::memory_kind::array)) return hipSuccess;
  // It may have been freed before.
  if (simt::memory_observer* const observer = simt::host_memory_observer()) observer->fail_to_free(array);
  return finish_without_finding(hipErrorContextIsDestroyed);
}

hipError_t hipArrayDestroy(hipArray_t array) { return hipFreeArray(array); }

hipError_t hipMallocMipmappedArray(hipMipmappedArray_t*, const hipChannelFormatDesc*, hipExtent, unsigned, unsigned) {
  return finish(hipErrorNotSupported);
}

hipError_t hipMipmappedArrayCreate(hipMipmappedArray_t*, HIP_ARRAY3D_DESCRIPTOR*, unsigned) {
  return finish(hipErrorNotSupported);
}

hipError_t hipFreeMipmappedArray(hipMipmappedArray_t) { return finish(hipErrorInvalidValue); }

hipError_t hipMipmappedArrayDestroy(hipMipmappedArray_t) { return finish(hipErrorInvalidValue); }

hipError_t hipGetMipmappedArrayLevel(hipArray_t*, hipMipmappedArray_const_t, unsigned) {
  return finish(hipErrorInvalidValue);
}

hipError_t hipMipmappedArrayGetLevel(hipArray_t*, hipMipmappedArray_t, unsigned) {
  return finish(hipErrorInvalidValue);
}

hipError_t hipGetChannelDesc(hipChannelFormatDesc* element, hipArray_const_t array) {
  if (element == nullptr) return finish(hipErrorInvalidValue);
  const auto layout = simt::find_array(array);
  if (!layout) return finish(hipErrorInvalidHandle);
  *element = simt::descriptor_of(layout->format);
  return hipSuccess;
}

hipError_t hipArrayGetInfo(hipChannelFormatDesc* element, hipExtent* extent, unsigned* flags, hipArray_t array) {
  const auto layout = simt::find_array(array);
  if (!layout) return finish(hipErrorInvalidHandle);
  if (element != nullptr) *element = simt::descriptor_of(layout->format);
  if (extent != nullptr) *extent = layout->extent;
  if (flags != nullptr) *flags = layout->flags;
  return hipSuccess;
}

hipError_t hipArray3DGetDescriptor(HIP_ARRAY3D_DESCRIPTOR* descriptor, hipArray_t array) {
  if (descriptor == nullptr) return finish(hipErrorInvalidValue);
  const auto layout = simt::find_array(array);
  if (!layout) return finish(hipErrorInvalidHandle);
  const hipExtent& extent = layout->extent;
  *descriptor = {extent.width, extent.height, extent.depth, simt::number_of(layout->format), layout->format.components,
                 layout->flags};
  return hipSuccess;
}

hipError_t hipArrayGetDescriptor(HIP_ARRAY_DESCRIPTOR* descriptor, hipArray_t array) {
  if (descriptor == nullptr) return finish(hipErrorInvalidValue);
  const auto layout = simt::find_array(array);
  if (!layout) return finish(hipErrorInvalidHandle);
  *descriptor = {layout->extent.width, layout->extent.height, simt::number_of(layout->format),
                 layout->format.components};
  return hipSuccess;
}

}  // namespace hip_on_cpu
