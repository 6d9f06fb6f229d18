// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HIP's calls that copy and fill memory.
#include <cstdint>
#include <cstring>

#include "simt/hip/allocations.hpp"
#include "simt/hip/devices.hpp"
#include "simt/hip/errors.hpp"
#include "simt/hip/streams.hpp"
#include "simt/machine/observer.hpp"

namespace simt {
namespace {

bool is_direction(hipMemcpyKind kind) {
  const int number = kind;
  return (number >= hipMemcpyHostToHost && number <= hipMemcpyDefault) || number == hipMemcpyDeviceToDeviceNoCU;
}

enum class side { host, device, any };

side destination_of(hipMemcpyKind kind) {
  if (kind == hipMemcpyDefault) return side::any;
  return kind == hipMemcpyHostToHost || kind == hipMemcpyDeviceToHost ? side::host : side::device;
}

side source_of(hipMemcpyKind kind) {
  if (kind == hipMemcpyDefault) return side::any;
  return kind == hipMemcpyHostToHost || kind == hipMemcpyHostToDevice ? side::host : side::device;
}

void note_host_write(const void* begin, std::size_t bytes) {
  if (memory_observer* const observer = host_memory_observer()) observer->write_from_host(begin, bytes);
}

/// The host gets a copy of device memory; `to` is where it goes.
void note_host_read(const void* to, const void* from, std::size_t bytes) {
  memory_observer* const observer = host_memory_observer();
  if (observer == nullptr) return;
  const auto target = allocations::instance().find(to);
  if (!target || target->kind == memory_kind::host || target->kind == memory_kind::registered)
    observer->read_from_host(from, bytes);
}

/// Whether a pointer may be used as memory of that side, and the range stays in the allocation it begins in.
bool is_range(const void* pointer, std::size_t bytes, side expected) {
  const auto found = allocations::instance().find(pointer);
  // The user program's own memory, of which nothing more is known.
  if (!found) return expected != side::device;
  if (expected == side::host && found->kind == memory_kind::device) return false;
  return bytes <= found->bytes_from(pointer);
}

hipError_t copy(void* to, const void* from, std::size_t bytes, hipMemcpyKind kind, hipStream_t stream) {
  if (!is_stream(stream)) return hipErrorInvalidHandle;
  if (!is_direction(kind)) return hipErrorInvalidMemcpyDirection;
  if (bytes == 0) return hipSuccess;
  if (to == nullptr || from == nullptr) return hipErrorInvalidValue;
  if (!is_range(to, bytes, destination_of(kind)) || !is_range(from, bytes, source_of(kind))) {
    return hipErrorInvalidValue;
  }
  note_host_read(to, from, bytes);
  std::memmove(to, from, bytes);
  note_host_write(to, bytes);
  return hipSuccess;
}

/// Bytes from the beginning of the first row to the end of the last one; false where they cannot be counted.
bool extent_of_rows(std::size_t pitch, std::size_t width, std::size_t height, std::size_t* bytes) {
  return !__builtin_mul_overflow(pitch, height - 1, bytes) && !__builtin_add_overflow(*bytes, width, bytes);
}

hipError_t copy_rows(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                     std::size_t height, hipMemcpyKind kind, hipStream_t stream) {
  if (!is_stream(stream)) return hipErrorInvalidHandle;
  if (!is_direction(kind)) return hipErrorInvalidMemcpyDirection;
  if (width == 0 || height == 0) return hipSuccess;
  if (width > to_pitch || width > from_pitch) return hipErrorInvalidPitchValue;
  if (to == nullptr || from == nullptr) return hipErrorInvalidValue;
  std::size_t to_bytes = 0;
  std::size_t from_bytes = 0;
  if (!extent_of_rows(to_pitch, width, height, &to_bytes) || !extent_of_rows(from_pitch, width, height, &from_bytes) ||
      !is_range(to, to_bytes, destination_of(kind)) || !is_range(from, from_bytes, source_of(kind))) {
    return hipErrorInvalidValue;
  }
  for (std::size_t row = 0; row < height; ++row) {
    note_host_read(to, static_cast<const char*>(from) + row * from_pitch, width);
    std::memmove(static_cast<char*>(to) + row * to_pitch, static_cast<const char*>(from) + row * from_pitch, width);
    note_host_write(static_cast<char*>(to) + row * to_pitch, width);
  }
  return hipSuccess;
}

template <class Element>
hipError_t fill(void* to, Element value, std::size_t count, hipStream_t stream) {
  if (!is_stream(stream)) return hipErrorInvalidHandle;
  if (count == 0) return hipSuccess;
  if (to == nullptr || count > SIZE_MAX / sizeof value || !is_range(to, count * sizeof value, side::device) ||
      reinterpret_cast<std::uintptr_t>(to) % alignof(Element) != 0) {
    return hipErrorInvalidValue;
  }
  Element* const begin = static_cast<Element*>(to);
  for (std::size_t i = 0; i < count; ++i) begin[i] = value;
  note_host_write(to, count * sizeof value);
  return hipSuccess;
}

hipError_t fill_rows(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height,
                     hipStream_t stream) {
  if (!is_stream(stream)) return hipErrorInvalidHandle;
  if (width == 0 || height == 0) return hipSuccess;
  if (width > pitch) return hipErrorInvalidPitchValue;
  std::size_t bytes = 0;
  if (to == nullptr || !extent_of_rows(pitch, width, height, &bytes) || !is_range(to, bytes, side::device)) {
    return hipErrorInvalidValue;
  }
  for (std::size_t row = 0; row < height; ++row) {
    std::memset(static_cast<char*>(to) + row * pitch, value, width);
    note_host_write(static_cast<char*>(to) + row * pitch, width);
  }
  return hipSuccess;
}

hipError_t check_peers(int to_device, int from_device) {
  return is_device(to_device) && is_device(from_device) ? hipSuccess : hipErrorInvalidDevice;
}

bool is_within(std::size_t size, std::size_t offset, std::size_t bytes) {
  return offset <= size && bytes <= size - offset;
}

}  // namespace

hipError_t copy_to_symbol(void* symbol, std::size_t size, const void* from, std::size_t bytes, std::size_t offset,
                          hipMemcpyKind kind, hipStream_t stream) {
  if (!is_stream(stream)) return finish(hipErrorInvalidHandle);
  if (!is_direction(kind) || destination_of(kind) == side::host) return finish(hipErrorInvalidMemcpyDirection);
  if (bytes == 0) return hipSuccess;
  if (from == nullptr || !is_within(size, offset, bytes) || !is_range(from, bytes, source_of(kind))) {
    return finish(hipErrorInvalidValue);
  }
  std::memmove(static_cast<char*>(symbol) + offset, from, bytes);
  return hipSuccess;
}

hipError_t copy_from_symbol(void* to, const void* symbol, std::size_t size, std::size_t bytes, std::size_t offset,
                            hipMemcpyKind kind, hipStream_t stream) {
  if (!is_stream(stream)) return finish(hipErrorInvalidHandle);
  if (!is_direction(kind) || source_of(kind) == side::host) return finish(hipErrorInvalidMemcpyDirection);
  if (bytes == 0) return hipSuccess;
  if (to == nullptr || !is_within(size, offset, bytes) || !is_range(to, bytes, destination_of(kind))) {
    return finish(hipErrorInvalidValue);
  }
  note_host_read(to, static_cast<const char*>(symbol) + offset, bytes);
  std::memmove(to, static_cast<const char*>(symbol) + offset, bytes);
  note_host_write(to, bytes);
  return hipSuccess;
}

}  // namespace simt

inline namespace hip_on_cpu {

using simt::finish;

hipError_t hipMemcpy(void* to, const void* from, size_t bytes, hipMemcpyKind kind) {
  return finish(simt::copy(to, from, bytes, kind, nullptr));
}

hipError_t hipMemcpyAsync(void* to, const void* from, size_t bytes, hipMemcpyKind kind, hipStream_t stream) {
  return finish(simt::copy(to, from, bytes, kind, stream));
}

hipError_t hipMemcpyWithStream(void* to, const void* from, size_t bytes, hipMemcpyKind kind, hipStream_t stream) {
  return finish(simt::copy(to, from, bytes, kind, stream));
}

hipError_t hipMemcpyHtoD(hipDeviceptr_t to, void* from, size_t bytes) {
  return hipMemcpy(to, from, bytes, hipMemcpyHostToDevice);
}

hipError_t hipMemcpyDtoH(void* to, hipDeviceptr_t from, size_t bytes) {
  return hipMemcpy(to, from, bytes, hipMemcpyDeviceToHost);
}

hipError_t hipMemcpyDtoD(hipDeviceptr_t to, hipDeviceptr_t from, size_t bytes) {
  return hipMemcpy(to, from, bytes, hipMemcpyDeviceToDevice);
}

hipError_t hipMemcpyHtoDAsync(hipDeviceptr_t to, void* from, size_t bytes, hipStream_t stream) {
  return hipMemcpyAsync(to, from, bytes, hipMemcpyHostToDevice, stream);
}

hipError_t hipMemcpyDtoHAsync(void* to, hipDeviceptr_t from, size_t bytes, hipStream_t stream) {
  return hipMemcpyAsync(to, from, bytes, hipMemcpyDeviceToHost, stream);
}

hipError_t hipMemcpyDtoDAsync(hipDeviceptr_t to, hipDeviceptr_t from, size_t bytes, hipStream_t stream) {
  return hipMemcpyAsync(to, from, bytes, hipMemcpyDeviceToDevice, stream);
}

hipError_t hipMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device, size_t bytes,
                              hipStream_t stream) {
  const hipError_t peers = simt::check_peers(to_device, from_device);
  return finish(peers != hipSuccess ? peers : simt::copy(to, from, bytes, hipMemcpyDeviceToDevice, stream));
}

hipError_t hipMemcpyPeer(void* to, int to_device, const void* from, int from_device, size_t bytes) {
  return hipMemcpyPeerAsync(to, to_device, from, from_device, bytes, nullptr);
}

hipError_t hipMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                            hipMemcpyKind kind, hipStream_t stream) {
  return finish(simt::copy_rows(to, to_pitch, from, from_pitch, width, height, kind, stream));
}

hipError_t hipMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                       hipMemcpyKind kind) {
  return hipMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind, nullptr);
}

hipError_t hipMemsetAsync(void* to, int value, size_t bytes, hipStream_t stream) {
  return finish(simt::fill(to, static_cast<unsigned char>(value), bytes, stream));
}

hipError_t hipMemset(void* to, int value, size_t bytes) { return hipMemsetAsync(to, value, bytes, nullptr); }

hipError_t hipMemsetD8Async(hipDeviceptr_t to, unsigned char value, size_t count, hipStream_t stream) {
  return finish(simt::fill(to, value, count, stream));
}

hipError_t hipMemsetD8(hipDeviceptr_t to, unsigned char value, size_t count) {
  return hipMemsetD8Async(to, value, count, nullptr);
}

hipError_t hipMemsetD16Async(hipDeviceptr_t to, unsigned short value, size_t count, hipStream_t stream) {
  return finish(simt::fill(to, value, count, stream));
}

hipError_t hipMemsetD16(hipDeviceptr_t to, unsigned short value, size_t count) {
  return hipMemsetD16Async(to, value, count, nullptr);
}

hipError_t hipMemsetD32Async(hipDeviceptr_t to, int value, size_t count, hipStream_t stream) {
  return finish(simt::fill(to, value, count, stream));
}

hipError_t hipMemsetD32(hipDeviceptr_t to, int value, size_t count) {
  return hipMemsetD32Async(to, value, count, nullptr);
}

hipError_t hipMemset2DAsync(void* to, size_t pitch, int value, size_t width, size_t height, hipStream_t stream) {
  return finish(simt::fill_rows(to, pitch, value, width, height, stream));
}

hipError_t hipMemset2D(void* to, size_t pitch, int value, size_t width, size_t height) {
  return hipMemset2DAsync(to, pitch, value, width, height, nullptr);
}

}  // namespace hip_on_cpu
