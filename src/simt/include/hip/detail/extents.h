// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Boxes of memory in HIP's terms: rows that begin a pitch apart, where a box begins, and how large it is.
#pragma once

#include <cstddef>

/// `xsize` and `ysize`: the bytes of a row that are used, and the rows of a slice.
struct hipPitchedPtr {
  void* ptr;
  size_t pitch;
  size_t xsize;
  size_t ysize;
};

/// The width is in elements where an array takes part, otherwise in bytes.
struct hipExtent {
  size_t width;
  size_t height;
  size_t depth;
};

/// `x` is in elements for an array, otherwise in bytes.
struct hipPos {
  size_t x;
  size_t y;
  size_t z;
};

inline hipPitchedPtr make_hipPitchedPtr(void* pointer, size_t pitch, size_t xsize, size_t ysize) {
  return {pointer, pitch, xsize, ysize};
}

inline hipExtent make_hipExtent(size_t width, size_t height, size_t depth) { return {width, height, depth}; }

inline hipPos make_hipPos(size_t x, size_t y, size_t z) { return {x, y, z}; }
