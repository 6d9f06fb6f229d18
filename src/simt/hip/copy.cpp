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

/// The host gets a copy of device memory at `destination`.
void note_host_read(const void* destination, const void* source, std::size_t bytes) {
  memory_observer* const observer = host_memory_observer();
  if (observer == nullptr) return;
  const auto target = allocations::instance().find(destination);
  if (!target || target->kind == memory_kind::host || target->kind == memory_kind::registered)
    observer->read_from_host(source, bytes);
}

/// Whether a pointer may be used as memory of that side, and the range stays in the allocation it begins in.
bool is_range(const void* pointer, std::size_t bytes, side expected) {
  const auto found = allocations::instance().find(pointer);
  // The user program's own memory, of which nothing more is known.
  if (!found) return expected != side::device;
  if (expected == side::host && found->kind == memory_kind::device) return false;
  return bytes <= found->bytes_from(pointer);
}

hipError_t copy(void* destination, const void* source, std::size_t bytes, hipMemcpyKind kind, hipStream_t stream) {
  if (!is_stream(stream)) return hipErrorInvalidHandle;
  if (!is_direction(kind)) return hipErrorInvalidMemcpyDirection;
  if (bytes == 0) return hipSuccess;
  if (destination == nullptr || source == nullptr) return hipErrorInvalidValue;
  if (!is_range(destination, bytes, destination_of(kind)) || !is_range(source, bytes, source_of(kind))) {
    return hipErrorInvalidValue;
  }
  note_host_read(destination, source, bytes);
  std::memmove(destination, source, bytes);
  note_host_write(destination, bytes);
  return hipSuccess;
}

/// Bytes from the beginning of the first row to the end of the last one; false where they cannot be counted.
bool extent_of_rows(std::size_t pitch, std::size_t width, std::size_t height, std::size_t* bytes) {
  return !__builtin_mul_overflow(pitch, height - 1, bytes) && !__builtin_add_overflow(*bytes, width, bytes);
}

hipError_t copy_rows(void* destination, std::size_t to_pitch, const void* source, std::size_t from_pitch,
                     std::size_t width, std::size_t height, hipMemcpyKind kind, hipStream_t stream) {
  if (!is_stream(stream)) return hipErrorInvalidHandle;
  if (!is_direction(kind)) return hipErrorInvalidMemcpyDirection;
  if (width == 0 || height == 0) return hipSuccess;
  if (width > to_pitch || width > from_pitch) return hipErrorInvalidPitchValue;
  if (destination == nullptr || source == nullptr) return hipErrorInvalidValue;
  std::size_t to_bytes = 0;
  std::size_t from_bytes = 0;
  if (!extent_of_rows(to_pitch, width, height, &to_bytes) || !extent_of_rows(from_pitch, width, height, &from_bytes) ||
      !is_range(destination, to_bytes, destination_of(kind)) || !is_range(source, from_bytes, source_of(kind))) {
    return hipErrorInvalidValue;
  }
  for (std::size_t row = 0; row < height; ++row) {
    note_host_read(destination, static_cast<const char*>(source) + row * from_pitch, width);
    std::memmove(static_cast<char*>(destination) + row * to_pitch, static_cast<const char*>(source) + row * from_pitch,
                 width);
    note_host_write(static_cast<char*>(destination) + row * to_pitch, width);
  }
  return hipSuccess;
}

template <class Element>
hipError_t fill(void* destination, Element value, std::size_t count, hipStream_t stream) {
  if (!is_stream(stream)) return hipErrorInvalidHandle;
  if (count == 0) return hipSuccess;
  if (destination == nullptr || count > SIZE_MAX / sizeof value ||
      !is_range(destination, count * sizeof value, side::device) ||
      reinterpret_cast<std::uintptr_t>(destination) % alignof(Element) != 0) {
    return hipErrorInvalidValue;
  }
  Element* const begin = static_cast<Element*>(destination);
  for (std::size_t i = 0; i < count; ++i) begin[i] = value;
  note_host_write(destination, count * sizeof value);
  return hipSuccess;
}

hipError_t fill_rows(void* destination, std::size_t pitch, int value, std::size_t width, std::size_t height,
                     hipStream_t stream) {
  if (!is_stream(stream)) return hipErrorInvalidHandle;
  if (width == 0 || height == 0) return hipSuccess;
  if (width > pitch) return hipErrorInvalidPitchValue;
  std::size_t bytes = 0;
  if (destination == nullptr || !extent_of_rows(pitch, width, height, &bytes) ||
      !is_range(destination, bytes, side::device)) {
    return hipErrorInvalidValue;
  }
  for (std::size_t row = 0; row < height; ++row) {
    std::memset(static_cast<char*>(destination) + row * pitch, value, width);
    note_host_write(static_cast<char*>(destination) + row * pitch, width);
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

hipError_t copy_to_symbol(void* symbol, std::size_t size, const void* source, std::size_t bytes, std::size_t offset,
                          hipMemcpyKind kind, hipStream_t stream) {
  if (!is_stream(stream)) return finish(hipErrorInvalidHandle);
  if (!is_direction(kind) || destination_of(kind) == side::host) return finish(hipErrorInvalidMemcpyDirection);
  if (bytes == 0) return hipSuccess;
  if (source == nullptr || !is_within(size, offset, bytes) || !is_range(source, bytes, source_of(kind))) {
    return finish(hipErrorInvalidValue);
  }
  std::memmove(static_cast<char*>(symbol) + offset, source, bytes);
  return hipSuccess;
}

hipError_t copy_from_symbol(void* destination, const void* symbol, std::size_t size, std::size_t bytes,
                            std::size_t offset, hipMemcpyKind kind, hipStream_t stream) {
  if (!is_stream(stream)) return finish(hipErrorInvalidHandle);
  if (!is_direction(kind) || source_of(kind) == side::host) return finish(hipErrorInvalidMemcpyDirection);
  if (bytes == 0) return hipSuccess;
  if (destination == nullptr || !is_within(size, offset, bytes) ||
      !is_range(destination, bytes, destination_of(kind))) {
    return finish(hipErrorInvalidValue);
  }
  note_host_read(destination, static_cast<const char*>(symbol) + offset, bytes);
  std::memmove(destination, static_cast<const char*>(symbol) + offset, bytes);
  note_host_write(destination, bytes);
  return hipSuccess;
}

}  // namespace simt

inline namespace hip_on_cpu {

using simt::finish;

hipError_t hipMemcpy(void* destination, const void* source, size_t bytes, hipMemcpyKind kind) {
  return finish(simt::copy(destination, source, bytes, kind, nullptr));
}

hipError_t hipMemcpyAsync(void* destination, const void* source, size_t bytes, hipMemcpyKind kind, hipStream_t stream) {
  return finish(simt::copy(destination, source, bytes, kind, stream));
}

hipError_t hipMemcpyWithStream(void* destination, const void* source, size_t bytes, hipMemcpyKind kind,
                               hipStream_t stream) {
  return finish(simt::copy(destination, source, bytes, kind, stream));
}

hipError_t hipMemcpyHtoD(hipDeviceptr_t destination, void* source, size_t bytes) {
  return hipMemcpy(destination, source, bytes, hipMemcpyHostToDevice);
}

hipError_t hipMemcpyDtoH(void* destination, hipDeviceptr_t source, size_t bytes) {
  return hipMemcpy(destination, source, bytes, hipMemcpyDeviceToHost);
}

hipError_t hipMemcpyDtoD(hipDeviceptr_t destination, hipDeviceptr_t source, size_t bytes) {
  return hipMemcpy(destination, source, bytes, hipMemcpyDeviceToDevice);
}

hipError_t hipMemcpyHtoDAsync(hipDeviceptr_t destination, void* source, size_t bytes, hipStream_t stream) {
  return hipMemcpyAsync(destination, source, bytes, hipMemcpyHostToDevice, stream);
}

hipError_t hipMemcpyDtoHAsync(void* destination, hipDeviceptr_t source, size_t bytes, hipStream_t stream) {
  return hipMemcpyAsync(destination, source, bytes, hipMemcpyDeviceToHost, stream);
}

hipError_t hipMemcpyDtoDAsync(hipDeviceptr_t destination, hipDeviceptr_t source, size_t bytes, hipStream_t stream) {
  return hipMemcpyAsync(destination, source, bytes, hipMemcpyDeviceToDevice, stream);
}

hipError_t hipMemcpyPeerAsync(void* destination, int to_device, const void* source, int from_device, size_t bytes,
                              hipStream_t stream) {
  const hipError_t peers = simt::check_peers(to_device, from_device);
  return finish(peers != hipSuccess ? peers : simt::copy(destination, source, bytes, hipMemcpyDeviceToDevice, stream));
}

hipError_t hipMemcpyPeer(void* destination, int to_device, const void* source, int from_device, size_t bytes) {
  return hipMemcpyPeerAsync(destination, to_device, source, from_device, bytes, nullptr);
}

hipError_t hipMemcpy2DAsync(void* destination, size_t to_pitch, const void* source, size_t from_pitch, size_t width,
                            size_t height, hipMemcpyKind kind, hipStream_t stream) {
  return finish(simt::copy_rows(destination, to_pitch, source, from_pitch, width, height, kind, stream));
}

hipError_t hipMemcpy2D(void* destination, size_t to_pitch, const void* source, size_t from_pitch, size_t width,
                       size_t height, hipMemcpyKind kind) {
  return hipMemcpy2DAsync(destination, to_pitch, source, from_pitch, width, height, kind, nullptr);
}

hipError_t hipMemsetAsync(void* destination, int value, size_t bytes, hipStream_t stream) {
  return finish(simt::fill(destination, static_cast<unsigned char>(value), bytes, stream));
}

hipError_t hipMemset(void* destination, int value, size_t bytes) {
  return hipMemsetAsync(destination, value, bytes, nullptr);
}

hipError_t hipMemsetD8Async(hipDeviceptr_t destination, unsigned char value, size_t count, hipStream_t stream) {
  return finish(simt::fill(destination, value, count, stream));
}

hipError_t hipMemsetD8(hipDeviceptr_t destination, unsigned char value, size_t count) {
  return hipMemsetD8Async(destination, value, count, nullptr);
}

hipError_t hipMemsetD16Async(hipDeviceptr_t destination, unsigned short value, size_t count, hipStream_t stream) {
  return finish(simt::fill(destination, value, count, stream));
}

hipError_t hipMemsetD16(hipDeviceptr_t destination, unsigned short value, size_t count) {
  return hipMemsetD16Async(destination, value, count, nullptr);
}

hipError_t hipMemsetD32Async(hipDeviceptr_t destination, int value, size_t count, hipStream_t stream) {
  return finish(simt::fill(destination, value, count, stream));
}

hipError_t hipMemsetD32(hipDeviceptr_t destination, int value, size_t count) {
  return hipMemsetD32Async(destination, value, count, nullptr);
}

hipError_t hipMemset2DAsync(void* destination, size_t pitch, int value, size_t width, size_t height,
                            hipStream_t stream) {
  return finish(simt::fill_rows(destination, pitch, value, width, height, stream));
}

hipError_t hipMemset2D(void* destination, size_t pitch, int value, size_t width, size_t height) {
  return hipMemset2DAsync(destination, pitch, value, width, height, nullptr);
}

}  // namespace hip_on_cpu
