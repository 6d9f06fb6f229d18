// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How kernels read textures, and read and write surfaces. The machine samples (src/simt/hip/sampling.cpp); HIP's
// functions only name the values that they get.
#pragma once

#include "simt/lane.hpp"

SIMT_BOTH_SIDES_BEGIN

namespace simt {

/// An element's components, as a GPU has them in registers: floats, or integers extended to 32 bits. What the element
/// lacks is 0, and the fourth component 1.
struct texel {
  unsigned words[4];
};

// `texture` is a hipTextureObject_t. Coordinates that are not used are 0.

/// The element of this index, without filtering; 0 beside the texture.
SIMT_API texel fetch_texel(const void* texture, int index);
/// `dimensions`: how many of x, y and z count.
SIMT_API texel sample_texture(const void* texture, unsigned dimensions, float x, float y, float z, int layer);
/// The face and the place on it are where the direction (x, y, z) leaves the cube.
SIMT_API texel sample_cubemap(const void* texture, float x, float y, float z, int layer);
/// One component of the four elements that a linear filter would use, anticlockwise from the upper left: those at
/// (x, y + 1), (x + 1, y + 1), (x + 1, y), (x, y).
SIMT_API texel gather_texels(const void* texture, float x, float y, unsigned component);

/// `x` is in bytes; `z` is a layer or a face, where the surface has some; `mode`: hipSurfaceBoundaryMode.
struct surface_place {
  int x, y, z;
  int mode;
};

/// Copies the bytes of an element from a surface, or to it; `at`: the operation and its line.
SIMT_API void read_surface(const void* surface, surface_place place, void* value, unsigned bytes, const site& at);
SIMT_API void write_surface(const void* surface, surface_place place, const void* value, unsigned bytes,
                            const site& at);

}  // namespace simt

SIMT_BOTH_SIDES_END
