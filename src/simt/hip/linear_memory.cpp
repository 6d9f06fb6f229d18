// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simt/hip/linear_memory.hpp"

#include <cstdint>
#include <cstring>

#include "simt/hip/allocations.hpp"
#include "simt/machine/observer.hpp"

namespace simt {
namespace {

void note_host_write(const void* begin, std::size_t bytes) {
  if (memory_observer* const observer = host_memory_observer()) observer->write_from_host(begin, bytes);
}

/// The host gets a copy of device memory at `target`.
void note_host_read(const void* target, const void* source, std::size_t bytes) {
  memory_observer* const observer = host_memory_observer();
  if (observer == nullptr) return;
  const auto memory = allocations::instance().find(target);
  if (!memory || memory->kind == memory_kind::host || memory->kind == memory_kind::registered)
    observer->read_from_host(source, bytes);
}

void copy_noted(void* target, const void* source, std::size_t bytes) {
  note_host_read(target, source, bytes);
  std::memmove(target, source, bytes);
  note_host_write(target, bytes);
}

/// Where the rows of a box are.
struct box {
  char* begin;
  std::size_t pitch;  ///< bytes from row to row
  std::size_t plane;  ///< bytes from plane to plane

  char* row(std::size_t y, std::size_t z) const { return begin + z * plane + y * pitch; }
};

bool is_empty(const hipExtent& extent) { return extent.width == 0 || extent.height == 0 || extent.depth == 0; }

/// Whether all of it, from the first byte to the last one, is memory of that side. The extent's width is in bytes.
bool is_memory(const box& rows, const hipExtent& extent, side expected) {
  std::size_t bytes = 0;
  std::size_t planes = 0;
  return rows.begin != nullptr && !__builtin_mul_overflow(rows.pitch, extent.height - 1, &bytes) &&
         !__builtin_add_overflow(bytes, extent.width, &bytes) &&
         !__builtin_mul_overflow(rows.plane, extent.depth - 1, &planes) &&
         !__builtin_add_overflow(bytes, planes, &bytes) && is_range(rows.begin, bytes, expected);
}

/// The part of a box that begins at a position; an error where `extent` does not fit its rows and columns.
hipError_t place(const hipPitchedPtr& whole, const hipPos& position, const hipExtent& extent, box* part) {
  if (extent.width > whole.pitch) return hipErrorInvalidPitchValue;
  if (whole.ptr == nullptr || position.x > whole.pitch - extent.width) return hipErrorInvalidValue;
  const bool has_planes = extent.depth > 1 || position.z > 0;
  if (has_planes && (extent.height > whole.ysize || position.y > whole.ysize - extent.height)) {
    return hipErrorInvalidValue;
  }
  std::size_t plane = 0, planes = 0, rows = 0, offset = 0;
  if (__builtin_mul_overflow(whole.pitch, whole.ysize, &plane) || __builtin_mul_overflow(plane, position.z, &planes) ||
      __builtin_mul_overflow(whole.pitch, position.y, &rows) || __builtin_add_overflow(planes, rows, &offset) ||
      __builtin_add_overflow(offset, position.x, &offset)) {
    return hipErrorInvalidValue;
  }
  *part = {static_cast<char*>(whole.ptr) + offset, whole.pitch, plane};
  return hipSuccess;
}

}  // namespace

bool is_direction(hipMemcpyKind kind) {
  const int number = kind;
  return (number >= hipMemcpyHostToHost && number <= hipMemcpyDefault) || number == hipMemcpyDeviceToDeviceNoCU;
}

side target_of(hipMemcpyKind kind) {
  if (kind == hipMemcpyDefault) return side::any;
  return kind == hipMemcpyHostToHost || kind == hipMemcpyDeviceToHost ? side::host : side::device;
}

side source_of(hipMemcpyKind kind) {
  if (kind == hipMemcpyDefault) return side::any;
  return kind == hipMemcpyHostToHost || kind == hipMemcpyHostToDevice ? side::host : side::device;
}

bool is_range(const void* pointer, std::size_t bytes, side expected) {
  const auto found = allocations::instance().find(pointer);
  // The user program's own memory, of which nothing more is known.
  if (!found) return expected != side::device;
  if (expected == side::host && found->kind == memory_kind::device) return false;
  return bytes <= found->bytes_from(pointer);
}

hipError_t validate(const line_copy& copy) {
  if (!is_direction(copy.kind)) return hipErrorInvalidMemcpyDirection;
  if (copy.bytes == 0) return hipSuccess;
  if (copy.target == nullptr || copy.source == nullptr) return hipErrorInvalidValue;
  const bool is_known = is_range(copy.target, copy.bytes, target_of(copy.kind)) &&
                        is_range(copy.source, copy.bytes, source_of(copy.kind));
  return is_known ? hipSuccess : hipErrorInvalidValue;
}

hipError_t run(const line_copy& copy) {
  const hipError_t code = validate(copy);
  if (code == hipSuccess && copy.bytes != 0) copy_noted(copy.target, copy.source, copy.bytes);
  return code;
}

namespace {

/// Finds both boxes of a copy that is not empty.
hipError_t place(const hipMemcpy3DParms& copy, box* target, box* source) {
  const hipExtent& extent = copy.extent;
  if (const hipError_t code = place(copy.dstPtr, copy.dstPos, extent, target)) return code;
  if (const hipError_t code = place(copy.srcPtr, copy.srcPos, extent, source)) return code;
  const bool is_known =
      is_memory(*target, extent, target_of(copy.kind)) && is_memory(*source, extent, source_of(copy.kind));
  return is_known ? hipSuccess : hipErrorInvalidValue;
}

/// The rows that a fill writes, in bytes.
hipExtent extent_of(const fill& filling) {
  return {filling.plane.width * filling.plane.elementSize, filling.plane.height, filling.depth};
}

box place(const fill& filling) {
  // The pitch of a single row says nothing.
  const std::size_t pitch = filling.plane.height == 1 ? extent_of(filling).width : filling.plane.pitch;
  return {static_cast<char*>(filling.plane.dst), pitch, filling.plane_bytes};
}

}  // namespace

hipError_t validate(const hipMemcpy3DParms& copy) {
  if (!is_direction(copy.kind)) return hipErrorInvalidMemcpyDirection;
  if (is_empty(copy.extent)) return hipSuccess;
  box target{};
  box source{};
  return place(copy, &target, &source);
}

hipError_t run(const hipMemcpy3DParms& copy) {
  if (const hipError_t code = validate(copy)) return code;
  const hipExtent& extent = copy.extent;
  if (is_empty(extent)) return hipSuccess;
  box target{};
  box source{};
  static_cast<void>(place(copy, &target, &source));
  for (std::size_t z = 0; z < extent.depth; ++z) {
    for (std::size_t y = 0; y < extent.height; ++y) copy_noted(target.row(y, z), source.row(y, z), extent.width);
  }
  return hipSuccess;
}

hipError_t validate(const fill& filling) {
  const unsigned element_bytes = filling.plane.elementSize;
  if (element_bytes != 1 && element_bytes != 2 && element_bytes != 4) return hipErrorInvalidValue;
  if (filling.plane.width > SIZE_MAX / element_bytes) return hipErrorInvalidValue;
  const hipExtent extent = extent_of(filling);
  if (is_empty(extent)) return hipSuccess;
  const box target = place(filling);
  if (extent.width > target.pitch) return hipErrorInvalidPitchValue;
  const bool is_aligned = reinterpret_cast<std::uintptr_t>(target.begin) % element_bytes == 0;
  return is_aligned && is_memory(target, extent, side::device) ? hipSuccess : hipErrorInvalidValue;
}

hipError_t run(const fill& filling) {
  if (const hipError_t code = validate(filling)) return code;
  const hipExtent extent = extent_of(filling);
  if (is_empty(extent)) return hipSuccess;
  const box target = place(filling);
  const unsigned element_bytes = filling.plane.elementSize;
  for (std::size_t z = 0; z < extent.depth; ++z) {
    for (std::size_t y = 0; y < extent.height; ++y) {
      char* const row = target.row(y, z);
      if (element_bytes == 1) std::memset(row, static_cast<int>(filling.plane.value), extent.width);
      for (std::size_t x = 0; element_bytes != 1 && x < extent.width; x += element_bytes) {
        std::memcpy(row + x, &filling.plane.value, element_bytes);
      }
      note_host_write(row, extent.width);
    }
  }
  return hipSuccess;
}

}  // namespace simt
