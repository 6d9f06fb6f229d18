// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a texture or surface object is in memory: the elements that it reads, and how.
#pragma once

#include <array>
#include <cstddef>
#include <optional>

#include "simt/hip/arrays.hpp"

namespace simt {

/// A kernel reads it by its address, as on a GPU; so the checks know of each that was destroyed.
struct image_object {
  hipResourceDesc resource;
  hipTextureDesc sampling;
  hipResourceViewDesc view;
  bool has_view;

  char* elements;
  element_format format;
  std::size_t width, height, depth;  ///< in elements, at least 1; the depth may count layers
  std::size_t row_bytes, slice_bytes;

  /// Integers are mapped to floats from 0 to 1, or -1 to 1. The mode does not count for those of 32 bits.
  bool is_normalized() const {
    return sampling.readMode == hipReadModeNormalizedFloat && format.component_bytes < sizeof(float);
  }
  bool gives_floats() const { return format.kind == hipChannelFormatKindFloat || is_normalized(); }
  char* element(std::size_t x, std::size_t y, std::size_t z) const {
    return elements + z * slice_bytes + y * row_bytes + x * format.bytes();
  }
};

/// Fills in what the resource, the sampling and the view mean; without a view `has_view` is false.
hipError_t fill_in(image_object& object);

/// Binds a texture reference with its settings of now.
hipError_t bind(const textureReference* reference, const hipResourceDesc& resource);
/// What it is bound to; nothing: to nothing.
std::optional<hipResourceDesc> bound_resource(const textureReference* reference);

using border_color = std::array<float, 4>;
/// Of a reference, which has no room for it.
border_color border_of(const textureReference* reference);
void set_border(const textureReference* reference, const border_color& color);

}  // namespace simt
