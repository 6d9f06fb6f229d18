// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HIP's calls that copy boxes of memory, with an array at one end or at both.
#include <algorithm>
#include <optional>

#include "simt/hip/arrays.hpp"
#include "simt/hip/capture.hpp"
#include "simt/hip/copy.hpp"
#include "simt/hip/errors.hpp"
#include "simt/hip/stream_order.hpp"
#include "simt/hip/streams.hpp"

namespace simt {
namespace {

/// One end of a copy: an array, or rows in memory.
struct box_end {
  hipArray_const_t array = nullptr;
  const void* memory = nullptr;
  std::size_t pitch = 0;  ///< from row to row of the memory
  std::size_t rows = 0;   ///< from slice to slice of the memory; 0: as many as are copied
  bool has_array = false;
  hipPos at{};  ///< where the box begins; x is in bytes
  side expected = side::any;
};

/// Where the bytes of an end are.
struct box {
  char* begin;
  std::size_t pitch, slice;
};

struct located_box {
  hipError_t code;
  box where;
};

located_box locate_in_array(const box_end& end, const hipExtent& extent) {
  const auto layout = find_array(end.array);
  if (!layout) return {hipErrorInvalidHandle, {}};
  if (!is_within(layout->row_bytes(), end.at.x, extent.width) || !is_within(layout->rows(), end.at.y, extent.height) ||
      !is_within(layout->slices(), end.at.z, extent.depth) || end.expected == side::host) {
    return {hipErrorInvalidValue, {}};
  }
  char* const begin =
      elements_of(end.array) + end.at.z * layout->slice_bytes() + end.at.y * layout->row_bytes() + end.at.x;
  return {hipSuccess, {begin, layout->row_bytes(), layout->slice_bytes()}};
}

located_box locate_in_memory(const box_end& end, const hipExtent& extent, const char* preposition) {
  // A pitch of 0: the rows follow each other.
  const std::size_t pitch = end.pitch != 0 ? end.pitch : extent.width;
  if (extent.width > pitch) return {hipErrorInvalidPitchValue, {}};
  if (!is_within(pitch, end.at.x, extent.width)) return {hipErrorInvalidValue, {}};
  const std::size_t rows = end.rows != 0 ? end.rows : end.at.y + extent.height;
  if (extent.depth > 1 && !is_within(rows, end.at.y, extent.height)) return {hipErrorInvalidValue, {}};
  std::size_t slice = 0, first = 0, bytes = 0, row = 0;
  if (__builtin_mul_overflow(pitch, rows, &slice) || __builtin_mul_overflow(slice, end.at.z, &first) ||
      __builtin_mul_overflow(pitch, end.at.y, &row) || __builtin_add_overflow(first, row, &first) ||
      __builtin_add_overflow(first, end.at.x, &first) || __builtin_mul_overflow(slice, extent.depth - 1, &bytes) ||
      __builtin_mul_overflow(pitch, extent.height - 1, &row) || __builtin_add_overflow(bytes, row, &bytes) ||
      __builtin_add_overflow(bytes, extent.width, &bytes) || __builtin_add_overflow(bytes, first, &bytes)) {
    return {hipErrorInvalidValue, {}};
  }
  const hipError_t code = check_range({extent.depth == 1 ? "a copy of rows over" : "a copy of a box over", preposition,
                                       end.memory, bytes, end.expected});
  if (code != hipSuccess) return {code, {}};
  char* const begin = const_cast<char*>(static_cast<const char*>(end.memory));
  return {hipSuccess, {begin + first, pitch, slice}};
}

located_box locate(const box_end& end, const hipExtent& extent, const char* preposition) {
  return end.has_array ? locate_in_array(end, extent) : locate_in_memory(end, extent, preposition);
}

/// A copy of a box. The width of the extent is in bytes.
struct box_copy {
  box_end target;
  box_end source;
  hipExtent extent;
};

bool is_empty(const box_copy& copy) {
  return copy.extent.width == 0 || copy.extent.height == 0 || copy.extent.depth == 0;
}

hipError_t locate(const box_copy& copy, located_box* to, located_box* from) {
  if (is_empty(copy)) return hipSuccess;
  *to = locate(copy.target, copy.extent, "to");
  if (to->code != hipSuccess) return to->code;
  *from = locate(copy.source, copy.extent, "from");
  // What cannot be copied leaves the target as it is.
  if (from->code != hipSuccess) note_refused_write(to->where.begin, copy.extent.width);
  return from->code;
}

hipError_t run(const box_copy& copy) {
  located_box to{};
  located_box from{};
  const hipError_t code = locate(copy, &to, &from);
  if (code != hipSuccess || is_empty(copy)) return code;
  const hipExtent& extent = copy.extent;
  for (std::size_t z = 0; z < extent.depth; ++z) {
    const auto rows_of = [&](const box& where) {
      return row_range{reinterpret_cast<std::uintptr_t>(where.begin) + z * where.slice, extent.width, where.pitch,
                       extent.height};
    };
    note_copy(rows_of(to.where), rows_of(from.where));
    for (std::size_t y = 0; y < extent.height; ++y) {
      copy_bytes(to.where.begin + z * to.where.slice + y * to.where.pitch,
                 from.where.begin + z * from.where.slice + y * from.where.pitch, extent.width);
    }
  }
  return hipSuccess;
}

/// For calls that are not captured.
hipError_t copy_box(const box_end& target, const box_end& source, const hipExtent& extent, hipStream_t stream) {
  if (!is_stream(stream)) return hipErrorInvalidHandle;
  if (const hipError_t code = refuse_if_captured(stream)) return code;
  hipError_t code = hipSuccess;
  {
    const stream_work order(stream);
    code = run(box_copy{target, source, extent});
  }
  if (code == hipSuccess && !target.has_array) wait_for_pageable(target.memory, stream);
  return code;
}

box_end array_end(hipArray_const_t array, const hipPos& at, side expected) {
  return {array, nullptr, 0, 0, true, at, expected};
}

box_end memory_end(const void* memory, std::size_t pitch, side expected) {
  return {nullptr, memory, pitch, 0, false, {}, expected};
}

hipError_t copy_to_array(hipArray_t target, const hipPos& at, const void* source, std::size_t pitch, std::size_t width,
                         std::size_t height, hipMemcpyKind kind, hipStream_t stream) {
  if (!is_direction(kind)) return hipErrorInvalidMemcpyDirection;
  if (target == nullptr) return hipErrorInvalidHandle;
  if (width > pitch) return hipErrorInvalidPitchValue;
  return copy_box(array_end(target, at, target_of(kind)), memory_end(source, pitch, source_of(kind)),
                  {width, height, 1}, stream);
}

hipError_t copy_from_array(void* target, std::size_t pitch, hipArray_const_t source, const hipPos& at,
                           std::size_t width, std::size_t height, hipMemcpyKind kind, hipStream_t stream) {
  if (!is_direction(kind)) return hipErrorInvalidMemcpyDirection;
  if (source == nullptr) return hipErrorInvalidHandle;
  if (width > pitch) return hipErrorInvalidPitchValue;
  return copy_box(memory_end(target, pitch, target_of(kind)), array_end(source, at, source_of(kind)),
                  {width, height, 1}, stream);
}

/// Calls `copy` for the parts of rows that so many bytes from a place in an array on are: their place, where their
/// bytes are among all, and their extent.
template <class Copy>
hipError_t each_part(hipArray_const_t array, std::size_t x, std::size_t y, std::size_t bytes, Copy copy) {
  const auto layout = find_array(array);
  if (!layout) return hipErrorInvalidHandle;
  const std::size_t row = layout->row_bytes();
  std::size_t first = 0;
  if (x >= row || __builtin_mul_overflow(row, y, &first) || !is_within(layout->slice_bytes(), first + x, bytes)) {
    return hipErrorInvalidValue;
  }
  for (std::size_t done = 0; done < bytes;) {
    const std::size_t part = std::min(row - x, bytes - done);
    const hipError_t code = copy(hipPos{x, y, 0}, done, part);
    if (code != hipSuccess) return code;
    done += part;
    x = 0;
    ++y;
  }
  return hipSuccess;
}

hipError_t copy_from_place(void* target, hipArray_const_t source, std::size_t x, std::size_t y, std::size_t bytes,
                           hipMemcpyKind kind) {
  if (target == nullptr) return hipErrorInvalidValue;
  return each_part(source, x, y, bytes, [&](const hipPos& at, std::size_t done, std::size_t part) {
    return copy_from_array(static_cast<char*>(target) + done, part, source, at, part, 1, kind, nullptr);
  });
}

hipError_t copy_to_place(hipArray_t target, std::size_t x, std::size_t y, const void* source, std::size_t bytes,
                         hipMemcpyKind kind) {
  if (source == nullptr) return hipErrorInvalidValue;
  return each_part(target, x, y, bytes, [&](const hipPos& at, std::size_t done, std::size_t part) {
    return copy_to_array(target, at, static_cast<const char*>(source) + done, part, part, 1, kind, nullptr);
  });
}

bool has_one_row(hipArray_const_t array) {
  const auto layout = find_array(array);
  return layout && layout->extent.height == 0;
}

/// An end of the calls that name a memory type.
std::optional<box_end> end_of(hipMemoryType type, const void* host, const void* device, hipArray_t array,
                              const hipPos& at, std::size_t pitch, std::size_t rows) {
  switch (type) {
    case hipMemoryTypeHost:
      return box_end{nullptr, host, pitch, rows, false, at, side::host};
    case hipMemoryTypeDevice:
      return box_end{nullptr, device, pitch, rows, false, at, side::device};
    case hipMemoryTypeUnified:
    case hipMemoryTypeManaged:
      return box_end{nullptr, device, pitch, rows, false, at, side::any};
    case hipMemoryTypeArray:
      return array_end(array, at, side::device);
    default:
      return std::nullopt;
  }
}

hipError_t copy_described(const HIP_MEMCPY3D& copy, hipStream_t stream) {
  const auto target = end_of(copy.dstMemoryType, copy.dstHost, copy.dstDevice, copy.dstArray,
                             {copy.dstXInBytes, copy.dstY, copy.dstZ}, copy.dstPitch, copy.dstHeight);
  const auto source = end_of(copy.srcMemoryType, copy.srcHost, copy.srcDevice, copy.srcArray,
                             {copy.srcXInBytes, copy.srcY, copy.srcZ}, copy.srcPitch, copy.srcHeight);
  if (!target || !source || copy.srcLOD != 0 || copy.dstLOD != 0) return hipErrorInvalidValue;
  return copy_box(*target, *source, {copy.WidthInBytes, copy.Height, copy.Depth}, stream);
}

hipError_t copy_described(const hip_Memcpy2D& copy, hipStream_t stream) {
  HIP_MEMCPY3D same{};
  same.dstMemoryType = copy.dstMemoryType;
  same.dstHost = copy.dstHost;
  same.dstDevice = copy.dstDevice;
  same.dstArray = copy.dstArray;
  same.dstXInBytes = copy.dstXInBytes;
  same.dstY = copy.dstY;
  same.dstPitch = copy.dstPitch;
  same.srcMemoryType = copy.srcMemoryType;
  same.srcHost = copy.srcHost;
  same.srcDevice = copy.srcDevice;
  same.srcArray = copy.srcArray;
  same.srcXInBytes = copy.srcXInBytes;
  same.srcY = copy.srcY;
  same.srcPitch = copy.srcPitch;
  same.WidthInBytes = copy.WidthInBytes;
  same.Height = copy.Height;
  same.Depth = 1;
  return copy_described(same, stream);
}

/// An end of hipMemcpy3D, whose places are in elements where an array takes part.
struct parameters_3d {
  hipArray_t array;
  hipPos at;
  hipPitchedPtr memory;
};

box_end end_of(const parameters_3d& end, std::size_t element_bytes, side expected) {
  const hipPos at{end.at.x * element_bytes, end.at.y, end.at.z};
  if (end.array != nullptr) return array_end(end.array, at, side::any);
  return {nullptr, end.memory.ptr, end.memory.pitch, end.memory.ysize, false, at, expected};
}

hipError_t describe(const hipMemcpy3DParms& copy, box_copy* described) {
  if (!is_direction(copy.kind)) return refuse_direction();
  // Not both, at either end.
  if ((copy.srcArray != nullptr && copy.srcPtr.ptr != nullptr) ||
      (copy.dstArray != nullptr && copy.dstPtr.ptr != nullptr)) {
    return hipErrorInvalidValue;
  }
  std::size_t element_bytes = 1;
  for (const hipArray_t array : {copy.srcArray, copy.dstArray}) {
    if (array == nullptr) continue;
    const auto layout = find_array(array);
    if (!layout) return hipErrorInvalidHandle;
    element_bytes = layout->format.bytes();
  }
  hipExtent extent = copy.extent;
  if (__builtin_mul_overflow(extent.width, element_bytes, &extent.width)) return hipErrorInvalidValue;
  // The memory's places are in bytes.
  const auto scale = [&](hipArray_t array) { return array != nullptr ? element_bytes : 1; };
  *described = {end_of({copy.dstArray, copy.dstPos, copy.dstPtr}, scale(copy.dstArray), target_of(copy.kind)),
                end_of({copy.srcArray, copy.srcPos, copy.srcPtr}, scale(copy.srcArray), source_of(copy.kind)), extent};
  return hipSuccess;
}

}  // namespace

hipError_t validate(const hipMemcpy3DParms& copy) {
  box_copy described{};
  located_box to{};
  located_box from{};
  const hipError_t code = describe(copy, &described);
  return code != hipSuccess ? code : locate(described, &to, &from);
}

hipError_t run(const hipMemcpy3DParms& copy) {
  box_copy described{};
  const hipError_t code = describe(copy, &described);
  return code != hipSuccess ? code : run(described);
}

}  // namespace simt

inline namespace hip_on_cpu {

using simt::finish;

hipError_t hipMemcpy2DToArrayAsync(hipArray_t target, size_t x, size_t y, const void* source, size_t pitch,
                                   size_t width, size_t height, hipMemcpyKind kind, hipStream_t stream) {
  return finish(simt::copy_to_array(target, {x, y, 0}, source, pitch, width, height, kind, stream));
}

hipError_t hipMemcpy2DToArray(hipArray_t target, size_t x, size_t y, const void* source, size_t pitch, size_t width,
                              size_t height, hipMemcpyKind kind) {
  return simt::wait_after(hipMemcpy2DToArrayAsync(target, x, y, source, pitch, width, height, kind, nullptr), nullptr);
}

hipError_t hipMemcpy2DFromArrayAsync(void* target, size_t pitch, hipArray_const_t source, size_t x, size_t y,
                                     size_t width, size_t height, hipMemcpyKind kind, hipStream_t stream) {
  return finish(simt::copy_from_array(target, pitch, source, {x, y, 0}, width, height, kind, stream));
}

hipError_t hipMemcpy2DFromArray(void* target, size_t pitch, hipArray_const_t source, size_t x, size_t y, size_t width,
                                size_t height, hipMemcpyKind kind) {
  return simt::wait_after(hipMemcpy2DFromArrayAsync(target, pitch, source, x, y, width, height, kind, nullptr),
                          nullptr);
}

hipError_t hipMemcpy2DArrayToArray(hipArray_t target, size_t target_x, size_t target_y, hipArray_const_t source,
                                   size_t source_x, size_t source_y, size_t width, size_t height, hipMemcpyKind kind) {
  if (!simt::is_direction(kind)) return finish(hipErrorInvalidMemcpyDirection);
  return finish(simt::wait_after(simt::copy_box(simt::array_end(target, {target_x, target_y, 0}, simt::target_of(kind)),
                                                simt::array_end(source, {source_x, source_y, 0}, simt::source_of(kind)),
                                                {width, height, 1}, nullptr),
                                 nullptr));
}

hipError_t hipMemcpyToArray(hipArray_t target, size_t x, size_t y, const void* source, size_t bytes,
                            hipMemcpyKind kind) {
  return finish(simt::wait_after(simt::copy_to_place(target, x, y, source, bytes, kind), nullptr));
}

hipError_t hipMemcpyFromArray(void* target, hipArray_const_t source, size_t x, size_t y, size_t bytes,
                              hipMemcpyKind kind) {
  return finish(simt::wait_after(simt::copy_from_place(target, source, x, y, bytes, kind), nullptr));
}

hipError_t hipMemcpyHtoA(hipArray_t target, size_t offset, const void* source, size_t bytes) {
  if (!simt::has_one_row(target)) return finish(hipErrorInvalidValue);
  return finish(
      simt::wait_after(simt::copy_to_place(target, offset, 0, source, bytes, hipMemcpyHostToDevice), nullptr));
}

hipError_t hipMemcpyAtoH(void* target, hipArray_t source, size_t offset, size_t bytes) {
  if (!simt::has_one_row(source)) return finish(hipErrorInvalidValue);
  return finish(
      simt::wait_after(simt::copy_from_place(target, source, offset, 0, bytes, hipMemcpyDeviceToHost), nullptr));
}

hipError_t hipMemcpyParam2DAsync(const hip_Memcpy2D* copy, hipStream_t stream) {
  return finish(copy != nullptr ? simt::copy_described(*copy, stream) : hipErrorInvalidValue);
}

hipError_t hipMemcpyParam2D(const hip_Memcpy2D* copy) {
  return simt::wait_after(hipMemcpyParam2DAsync(copy, nullptr), nullptr);
}

hipError_t hipDrvMemcpy2DUnaligned(const hip_Memcpy2D* copy) {
  return simt::wait_after(hipMemcpyParam2DAsync(copy, nullptr), nullptr);
}

hipError_t hipMemcpy3DAsync(const hipMemcpy3DParms* copy, hipStream_t stream) {
  return finish(copy != nullptr ? simt::submit(stream, *copy) : hipErrorInvalidValue);
}

hipError_t hipMemcpy3D(const hipMemcpy3DParms* copy) {
  return simt::wait_after(hipMemcpy3DAsync(copy, nullptr), nullptr);
}

hipError_t hipDrvMemcpy3DAsync(const HIP_MEMCPY3D* copy, hipStream_t stream) {
  return finish(copy != nullptr ? simt::copy_described(*copy, stream) : hipErrorInvalidValue);
}

hipError_t hipDrvMemcpy3D(const HIP_MEMCPY3D* copy) {
  return simt::wait_after(hipDrvMemcpy3DAsync(copy, nullptr), nullptr);
}

}  // namespace hip_on_cpu
