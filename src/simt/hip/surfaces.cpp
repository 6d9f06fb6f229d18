// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads and writes surfaces for kernels.
#include <algorithm>
#include <cstring>

#include "simt/hip/image_objects.hpp"
#include "simt/instrumented.hpp"
#include "simt/textures.hpp"

namespace simt {
namespace {

bool holds(std::size_t size, long at, long count) { return at >= 0 && at + count <= static_cast<long>(size); }

/// Where the element is; null for an access that does nothing.
char* find_element(const void* surface, surface_place place, unsigned bytes, const site& at, const void* code) {
  note_element(surface, sizeof(void*), false, code);
  const image_object& object = *static_cast<const image_object*>(surface);
  long x = place.x, y = place.y, z = place.z;
  if (!holds(object.row_bytes, x, bytes) || !holds(object.height, y, 1) || !holds(object.depth, z, 1)) {
    if (place.mode == hipBoundaryModeTrap) {
      assertion_failed("the access is within the surface (hipBoundaryModeTrap)", at.file, at.line, at.operation);
    }
    if (place.mode != hipBoundaryModeClamp || bytes > object.row_bytes) return nullptr;
    x = std::clamp(x, 0L, static_cast<long>(object.row_bytes - bytes));
    y = std::clamp(y, 0L, static_cast<long>(object.height) - 1);
    z = std::clamp(z, 0L, static_cast<long>(object.depth) - 1);
  }
  return object.element(0, static_cast<std::size_t>(y), static_cast<std::size_t>(z)) + x;
}

}  // namespace

void read_surface(const void* surface, surface_place place, void* value, unsigned bytes, const site& at) {
  const void* const code = __builtin_return_address(0);
  const char* const from = find_element(surface, place, bytes, at, code);
  if (from == nullptr) {
    std::memset(value, 0, bytes);
    return;
  }
  note_element(from, bytes, false, code);
  std::memcpy(value, from, bytes);
}

void write_surface(const void* surface, surface_place place, const void* value, unsigned bytes, const site& at) {
  const void* const code = __builtin_return_address(0);
  char* const to = find_element(surface, place, bytes, at, code);
  if (to == nullptr) return;
  note_element(to, bytes, true, code);
  std::memcpy(to, value, bytes);
}

}  // namespace simt
