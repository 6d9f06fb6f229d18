// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays as the other HIP calls see them. An array is device memory, and its handle is where that begins.
#pragma once

#include <cstddef>
#include <optional>

#include <hip/hip_runtime_api.h>

namespace simt {

/// What an element is made of.
struct element_format {
  hipChannelFormatKind kind;
  unsigned components;
  unsigned component_bytes;

  std::size_t bytes() const { return std::size_t{components} * component_bytes; }
};

/// Nothing for what no array and no texture can hold.
std::optional<element_format> format_of(const hipChannelFormatDesc& element);
hipChannelFormatDesc descriptor_of(const element_format& format);

/// Rows and slices follow each other without gaps.
struct array_layout {
  element_format format;
  hipExtent extent;  ///< as the program has given it: the height and depth may be 0
  unsigned flags;

  std::size_t rows() const { return extent.height > 0 ? extent.height : 1; }
  std::size_t slices() const { return extent.depth > 0 ? extent.depth : 1; }
  std::size_t row_bytes() const { return extent.width * format.bytes(); }
  std::size_t slice_bytes() const { return row_bytes() * rows(); }
  std::size_t bytes() const { return slice_bytes() * slices(); }
};

/// Nothing for a handle that is not one of an array that exists.
std::optional<array_layout> find_array(hipArray_const_t array);

inline char* elements_of(hipArray_const_t array) { return reinterpret_cast<char*>(const_cast<hipArray_t>(array)); }

// What gfx90a can have: elements in each direction, and bytes.
inline constexpr std::size_t max_array_width = 16384;
inline constexpr std::size_t max_array_height = 16384;
inline constexpr std::size_t max_array_depth = 8192;
inline constexpr std::size_t max_linear_elements = std::size_t{1} << 27;
inline constexpr std::size_t texture_alignment = 256;
inline constexpr std::size_t texture_pitch_alignment = 256;

}  // namespace simt
