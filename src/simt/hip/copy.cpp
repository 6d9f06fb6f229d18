// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HIP's calls that copy and fill memory.
#include "simt/hip/copy.hpp"

#include <cstdint>
#include <cstdio>
#include <cstring>

#include "simt/hip/allocations.hpp"
#include "simt/hip/devices.hpp"
#include "simt/hip/errors.hpp"
#include "simt/hip/images.hpp"
#include "simt/hip/streams.hpp"
#include "simt/machine/observer.hpp"

namespace simt {

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

}  // namespace

hipError_t check_range(const range& asked) {
  const auto refuse_for = [&](const void* buffer, const char* reason) {
    return refuse(hipErrorInvalidValue, buffer, "%s %zu bytes %s %s", asked.request, asked.bytes, asked.end, reason);
  };
  if (asked.pointer == nullptr) return refuse_for(nullptr, "a null pointer");
  const auto found = allocations::instance().find(asked.pointer);
  // The user program's own memory, of which nothing more is known.
  if (!found && asked.expected != side::device) return hipSuccess;
  if (!found) return refuse_for(nullptr, "memory that is not the device's");
  if (asked.expected == side::host && found->kind == memory_kind::device) {
    return refuse_for(asked.pointer, "memory that is the device's and not the host's, as the direction says,");
  }
  const std::size_t left = found->bytes_from(asked.pointer);
  if (asked.bytes <= left) return hipSuccess;
  char reason[64];
  std::snprintf(reason, sizeof reason,
                left == found->bytes ? "a buffer of %zu" : "a place %zu bytes before the end of a buffer", left);
  return refuse_for(asked.pointer, reason);
}

void copy_bytes(void* target, const void* source, std::size_t bytes) {
  note_host_read(target, source, bytes);
  std::memmove(target, source, bytes);
  note_host_write(target, bytes);
}

namespace {

/// Whether memory can be copied between the two; what cannot leaves the target as it is.
hipError_t check_both(const range& target, const range& source) {
  hipError_t code = check_range(target);
  if (code == hipSuccess) code = check_range(source);
  if (code != hipSuccess) note_refused_write(const_cast<void*>(target.pointer), target.bytes);
  return code;
}

hipError_t check_fill(const range& target) {
  const hipError_t code = check_range(target);
  if (code != hipSuccess) note_refused_write(const_cast<void*>(target.pointer), target.bytes);
  return code;
}

hipError_t refuse_direction() {
  return refuse(hipErrorInvalidMemcpyDirection, nullptr, "a copy in no direction that this call knows");
}

hipError_t copy(void* target, const void* source, std::size_t bytes, hipMemcpyKind kind, hipStream_t stream) {
  if (!is_stream(stream)) return hipErrorInvalidHandle;
  if (!is_direction(kind)) return refuse_direction();
  if (bytes == 0) return hipSuccess;
  constexpr const char* request = "a copy of";
  const hipError_t code =
      check_both({request, "to", target, bytes, target_of(kind)}, {request, "from", source, bytes, source_of(kind)});
  if (code != hipSuccess) return code;
  copy_bytes(target, source, bytes);
  return hipSuccess;
}

/// Bytes from the beginning of the first row to the end of the last one; false where they cannot be counted.
bool extent_of_rows(std::size_t pitch, std::size_t width, std::size_t height, std::size_t* bytes) {
  return !__builtin_mul_overflow(pitch, height - 1, bytes) && !__builtin_add_overflow(*bytes, width, bytes);
}

hipError_t copy_rows(void* target, std::size_t target_pitch, const void* source, std::size_t source_pitch,
                     std::size_t width, std::size_t height, hipMemcpyKind kind, hipStream_t stream) {
  if (!is_stream(stream)) return hipErrorInvalidHandle;
  if (!is_direction(kind)) return refuse_direction();
  if (width == 0 || height == 0) return hipSuccess;
  if (width > target_pitch || width > source_pitch) return hipErrorInvalidPitchValue;
  std::size_t target_bytes = 0;
  std::size_t source_bytes = 0;
  if (!extent_of_rows(target_pitch, width, height, &target_bytes) ||
      !extent_of_rows(source_pitch, width, height, &source_bytes)) {
    return hipErrorInvalidValue;
  }
  constexpr const char* request = "a copy of rows over";
  const hipError_t code = check_both({request, "to", target, target_bytes, target_of(kind)},
                                     {request, "from", source, source_bytes, source_of(kind)});
  if (code != hipSuccess) return code;
  for (std::size_t row = 0; row < height; ++row) {
    copy_bytes(static_cast<char*>(target) + row * target_pitch, static_cast<const char*>(source) + row * source_pitch,
               width);
  }
  return hipSuccess;
}

template <class Element>
hipError_t fill(void* target, Element value, std::size_t count, hipStream_t stream) {
  if (!is_stream(stream)) return hipErrorInvalidHandle;
  if (count == 0) return hipSuccess;
  if (count > SIZE_MAX / sizeof value || reinterpret_cast<std::uintptr_t>(target) % alignof(Element) != 0) {
    return hipErrorInvalidValue;
  }
  const hipError_t code = check_fill({"a memset of", "in", target, count * sizeof value, side::device});
  if (code != hipSuccess) return code;
  Element* const begin = static_cast<Element*>(target);
  for (std::size_t i = 0; i < count; ++i) begin[i] = value;
  note_host_write(target, count * sizeof value);
  return hipSuccess;
}

hipError_t fill_rows(void* target, std::size_t pitch, int value, std::size_t width, std::size_t height,
                     hipStream_t stream) {
  if (!is_stream(stream)) return hipErrorInvalidHandle;
  if (width == 0 || height == 0) return hipSuccess;
  if (width > pitch) return hipErrorInvalidPitchValue;
  std::size_t bytes = 0;
  if (!extent_of_rows(pitch, width, height, &bytes)) return hipErrorInvalidValue;
  const hipError_t code = check_fill({"a memset of rows over", "in", target, bytes, side::device});
  if (code != hipSuccess) return code;
  for (std::size_t row = 0; row < height; ++row) {
    std::memset(static_cast<char*>(target) + row * pitch, value, width);
    note_host_write(static_cast<char*>(target) + row * pitch, width);
  }
  return hipSuccess;
}

hipError_t check_peers(int target_device, int source_device) {
  return is_device(target_device) && is_device(source_device) ? hipSuccess : hipErrorInvalidDevice;
}

/// `end`: as in range.
hipError_t check_symbol(const void* symbol, const char* end, std::size_t size, std::size_t offset, std::size_t bytes) {
  if (!is_variable(symbol)) {
    return refuse(hipErrorInvalidSymbol, nullptr, "a copy %s what is no variable of the device", end);
  }
  if (offset <= size && bytes <= size - offset) return hipSuccess;
  if (offset == 0) {
    return refuse(hipErrorInvalidValue, nullptr, "a copy of %zu bytes %s a variable of %zu", bytes, end, size);
  }
  return refuse(hipErrorInvalidValue, nullptr, "a copy of %zu bytes %s byte %zu and on of a variable of %zu", bytes,
                end, offset, size);
}

}  // namespace

hipError_t copy_to_symbol(void* symbol, std::size_t size, const void* source, std::size_t bytes, std::size_t offset,
                          hipMemcpyKind kind, hipStream_t stream) {
  if (!is_stream(stream)) return finish(hipErrorInvalidHandle);
  if (!is_direction(kind) || target_of(kind) == side::host) return finish(refuse_direction());
  if (bytes == 0) return hipSuccess;
  hipError_t code = check_symbol(symbol, "to", size, offset, bytes);
  if (code == hipSuccess) code = check_range({"a copy of", "from", source, bytes, source_of(kind)});
  if (code != hipSuccess) return finish(code);
  std::memmove(static_cast<char*>(device_address(symbol)) + offset, source, bytes);
  return hipSuccess;
}

hipError_t copy_from_symbol(void* target, const void* symbol, std::size_t size, std::size_t bytes, std::size_t offset,
                            hipMemcpyKind kind, hipStream_t stream) {
  if (!is_stream(stream)) return finish(hipErrorInvalidHandle);
  if (!is_direction(kind) || source_of(kind) == side::host) return finish(refuse_direction());
  if (bytes == 0) return hipSuccess;
  hipError_t code = check_symbol(symbol, "from", size, offset, bytes);
  if (code == hipSuccess) code = check_range({"a copy of", "to", target, bytes, target_of(kind)});
  if (code != hipSuccess) return finish(code);
  const char* const begin = static_cast<const char*>(device_address(symbol)) + offset;
  note_host_read(target, begin, bytes);
  std::memmove(target, begin, bytes);
  note_host_write(target, bytes);
  return hipSuccess;
}

}  // namespace simt

inline namespace hip_on_cpu {

using simt::finish;

hipError_t hipMemcpy(void* target, const void* source, size_t bytes, hipMemcpyKind kind) {
  return finish(simt::copy(target, source, bytes, kind, nullptr));
}

hipError_t hipMemcpyAsync(void* target, const void* source, size_t bytes, hipMemcpyKind kind, hipStream_t stream) {
  return finish(simt::copy(target, source, bytes, kind, stream));
}

hipError_t hipMemcpyWithStream(void* target, const void* source, size_t bytes, hipMemcpyKind kind, hipStream_t stream) {
  return finish(simt::copy(target, source, bytes, kind, stream));
}

hipError_t hipMemcpyHtoD(hipDeviceptr_t target, void* source, size_t bytes) {
  return hipMemcpy(target, source, bytes, hipMemcpyHostToDevice);
}

hipError_t hipMemcpyDtoH(void* target, hipDeviceptr_t source, size_t bytes) {
  return hipMemcpy(target, source, bytes, hipMemcpyDeviceToHost);
}

hipError_t hipMemcpyDtoD(hipDeviceptr_t target, hipDeviceptr_t source, size_t bytes) {
  return hipMemcpy(target, source, bytes, hipMemcpyDeviceToDevice);
}

hipError_t hipMemcpyHtoDAsync(hipDeviceptr_t target, void* source, size_t bytes, hipStream_t stream) {
  return hipMemcpyAsync(target, source, bytes, hipMemcpyHostToDevice, stream);
}

hipError_t hipMemcpyDtoHAsync(void* target, hipDeviceptr_t source, size_t bytes, hipStream_t stream) {
  return hipMemcpyAsync(target, source, bytes, hipMemcpyDeviceToHost, stream);
}

hipError_t hipMemcpyDtoDAsync(hipDeviceptr_t target, hipDeviceptr_t source, size_t bytes, hipStream_t stream) {
  return hipMemcpyAsync(target, source, bytes, hipMemcpyDeviceToDevice, stream);
}

hipError_t hipMemcpyPeerAsync(void* target, int target_device, const void* source, int source_device, size_t bytes,
                              hipStream_t stream) {
  const hipError_t peers = simt::check_peers(target_device, source_device);
  return finish(peers != hipSuccess ? peers : simt::copy(target, source, bytes, hipMemcpyDeviceToDevice, stream));
}

hipError_t hipMemcpyPeer(void* target, int target_device, const void* source, int source_device, size_t bytes) {
  return hipMemcpyPeerAsync(target, target_device, source, source_device, bytes, nullptr);
}

hipError_t hipMemcpy2DAsync(void* target, size_t target_pitch, const void* source, size_t source_pitch, size_t width,
                            size_t height, hipMemcpyKind kind, hipStream_t stream) {
  return finish(simt::copy_rows(target, target_pitch, source, source_pitch, width, height, kind, stream));
}

hipError_t hipMemcpy2D(void* target, size_t target_pitch, const void* source, size_t source_pitch, size_t width,
                       size_t height, hipMemcpyKind kind) {
  return hipMemcpy2DAsync(target, target_pitch, source, source_pitch, width, height, kind, nullptr);
}

hipError_t hipMemsetAsync(void* target, int value, size_t bytes, hipStream_t stream) {
  return finish(simt::fill(target, static_cast<unsigned char>(value), bytes, stream));
}

hipError_t hipMemset(void* target, int value, size_t bytes) { return hipMemsetAsync(target, value, bytes, nullptr); }

hipError_t hipMemsetD8Async(hipDeviceptr_t target, unsigned char value, size_t count, hipStream_t stream) {
  return finish(simt::fill(target, value, count, stream));
}

hipError_t hipMemsetD8(hipDeviceptr_t target, unsigned char value, size_t count) {
  return hipMemsetD8Async(target, value, count, nullptr);
}

hipError_t hipMemsetD16Async(hipDeviceptr_t target, unsigned short value, size_t count, hipStream_t stream) {
  return finish(simt::fill(target, value, count, stream));
}

hipError_t hipMemsetD16(hipDeviceptr_t target, unsigned short value, size_t count) {
  return hipMemsetD16Async(target, value, count, nullptr);
}

hipError_t hipMemsetD32Async(hipDeviceptr_t target, int value, size_t count, hipStream_t stream) {
  return finish(simt::fill(target, value, count, stream));
}

hipError_t hipMemsetD32(hipDeviceptr_t target, int value, size_t count) {
  return hipMemsetD32Async(target, value, count, nullptr);
}

hipError_t hipMemset2DAsync(void* target, size_t pitch, int value, size_t width, size_t height, hipStream_t stream) {
  return finish(simt::fill_rows(target, pitch, value, width, height, stream));
}

hipError_t hipMemset2D(void* target, size_t pitch, int value, size_t width, size_t height) {
  return hipMemset2DAsync(target, pitch, value, width, height, nullptr);
}

}  // namespace hip_on_cpu
