// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HIP's calls that copy and fill memory.
#include <algorithm>
#include <cstdint>

#include "simt/hip/capture.hpp"
#include "simt/hip/devices.hpp"
#include "simt/hip/errors.hpp"
#include "simt/hip/images.hpp"
#include "simt/hip/stream_order.hpp"

namespace simt {
namespace {

/// Rows as the only plane of a box.
hipMemcpy3DParms rows(void* target, std::size_t target_pitch, const void* source, std::size_t source_pitch,
                      std::size_t width, std::size_t height, hipMemcpyKind kind) {
  hipMemcpy3DParms copy{};
  copy.srcPtr = {const_cast<void*>(source), source_pitch, width, height};
  copy.dstPtr = {target, target_pitch, width, height};
  copy.extent = {width, height, 1};
  copy.kind = kind;
  return copy;
}

hipError_t refuse_rows(const char* request, void* target, std::size_t width, std::size_t pitch) {
  const hipError_t code =
      refuse(hipErrorInvalidPitchValue, nullptr, "%s of rows of %zu bytes, %zu bytes apart,", request, width, pitch);
  note_refused_write(target, SIZE_MAX);
  return code;
}

template <class Element>
hipError_t fill_line(void* target, Element value, std::size_t count, hipStream_t stream) {
  return submit(stream, fill{{target, sizeof value, 1, 0, static_cast<unsigned>(value), count}});
}

hipError_t check_peers(int target_device, int source_device) {
  return is_device(target_device) && is_device(source_device) ? hipSuccess : hipErrorInvalidDevice;
}

}  // namespace

hipError_t copy_to_symbol(void* symbol, std::size_t size, const void* source, std::size_t bytes, std::size_t offset,
                          hipMemcpyKind kind, hipStream_t stream, bool waits) {
  const hipError_t code =
      submit(stream, symbol_copy{true, symbol, size, const_cast<void*>(source), bytes, offset, kind});
  return finish(waits ? wait_after(code, stream) : code);
}

hipError_t copy_from_symbol(void* target, const void* symbol, std::size_t size, std::size_t bytes, std::size_t offset,
                            hipMemcpyKind kind, hipStream_t stream, bool waits) {
  const hipError_t code =
      submit(stream, symbol_copy{false, const_cast<void*>(symbol), size, target, bytes, offset, kind});
  return finish(waits ? wait_after(code, stream) : code);
}

}  // namespace simt

inline namespace hip_on_cpu {

using simt::finish;

hipError_t hipMemcpy(void* target, const void* source, size_t bytes, hipMemcpyKind kind) {
  return hipMemcpyWithStream(target, source, bytes, kind, nullptr);
}

hipError_t hipMemcpyAsync(void* target, const void* source, size_t bytes, hipMemcpyKind kind, hipStream_t stream) {
  return finish(simt::submit(stream, simt::line_copy{target, source, bytes, kind}));
}

hipError_t hipMemcpyWithStream(void* target, const void* source, size_t bytes, hipMemcpyKind kind, hipStream_t stream) {
  const hipError_t code = simt::submit(stream, simt::line_copy{target, source, bytes, kind});
  if (simt::target_of(kind) == simt::side::device && simt::source_of(kind) == simt::side::device) {
    return finish(simt::wait_within_device(code, stream));
  }
  return finish(simt::wait_after(code, stream));
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
  return finish(peers != hipSuccess
                    ? peers
                    : simt::submit(stream, simt::line_copy{target, source, bytes, hipMemcpyDeviceToDevice}));
}

hipError_t hipMemcpyPeer(void* target, int target_device, const void* source, int source_device, size_t bytes) {
  return simt::wait_after(hipMemcpyPeerAsync(target, target_device, source, source_device, bytes, nullptr), nullptr);
}

hipError_t hipMemcpy2DAsync(void* target, size_t target_pitch, const void* source, size_t source_pitch, size_t width,
                            size_t height, hipMemcpyKind kind, hipStream_t stream) {
  const bool is_empty = width == 0 || height == 0;
  const std::size_t least_pitch = std::min(target_pitch, source_pitch);
  if (!is_empty && width > least_pitch) return finish(simt::refuse_rows("a copy", target, width, least_pitch));
  return finish(simt::submit(stream, simt::rows(target, target_pitch, source, source_pitch, width, height, kind)));
}

hipError_t hipMemcpy2D(void* target, size_t target_pitch, const void* source, size_t source_pitch, size_t width,
                       size_t height, hipMemcpyKind kind) {
  return simt::wait_after(hipMemcpy2DAsync(target, target_pitch, source, source_pitch, width, height, kind, nullptr),
                          nullptr);
}

hipError_t hipMemsetAsync(void* target, int value, size_t bytes, hipStream_t stream) {
  return finish(simt::fill_line(target, static_cast<unsigned char>(value), bytes, stream));
}

hipError_t hipMemset(void* target, int value, size_t bytes) {
  return simt::wait_within_device(hipMemsetAsync(target, value, bytes, nullptr), nullptr);
}

hipError_t hipMemsetD8Async(hipDeviceptr_t target, unsigned char value, size_t count, hipStream_t stream) {
  return finish(simt::fill_line(target, value, count, stream));
}

hipError_t hipMemsetD8(hipDeviceptr_t target, unsigned char value, size_t count) {
  return simt::wait_within_device(hipMemsetD8Async(target, value, count, nullptr), nullptr);
}

hipError_t hipMemsetD16Async(hipDeviceptr_t target, unsigned short value, size_t count, hipStream_t stream) {
  return finish(simt::fill_line(target, value, count, stream));
}

hipError_t hipMemsetD16(hipDeviceptr_t target, unsigned short value, size_t count) {
  return simt::wait_within_device(hipMemsetD16Async(target, value, count, nullptr), nullptr);
}

hipError_t hipMemsetD32Async(hipDeviceptr_t target, int value, size_t count, hipStream_t stream) {
  return finish(simt::fill_line(target, value, count, stream));
}

hipError_t hipMemsetD32(hipDeviceptr_t target, int value, size_t count) {
  return simt::wait_within_device(hipMemsetD32Async(target, value, count, nullptr), nullptr);
}

hipError_t hipMemset2DAsync(void* target, size_t pitch, int value, size_t width, size_t height, hipStream_t stream) {
  if (width > pitch && height != 0) return finish(simt::refuse_rows("a memset", target, width, pitch));
  return finish(simt::submit(stream, simt::fill{{target, 1, height, pitch, static_cast<unsigned>(value), width}}));
}

hipError_t hipMemset2D(void* target, size_t pitch, int value, size_t width, size_t height) {
  return simt::wait_within_device(hipMemset2DAsync(target, pitch, value, width, height, nullptr), nullptr);
}

hipError_t hipMemset3DAsync(hipPitchedPtr target, int value, hipExtent extent, hipStream_t stream) {
  if (extent.width == 0 || extent.height == 0 || extent.depth == 0) return hipSuccess;
  size_t plane = 0;
  if (extent.width > target.pitch || extent.height > target.ysize ||
      __builtin_mul_overflow(target.pitch, target.ysize, &plane)) {
    return finish(hipErrorInvalidValue);
  }
  const hipMemsetParams rows{target.ptr, 1, extent.height, target.pitch, static_cast<unsigned>(value), extent.width};
  return finish(simt::submit(stream, simt::fill{rows, extent.depth, plane}));
}

hipError_t hipMemset3D(hipPitchedPtr target, int value, hipExtent extent) {
  return simt::wait_within_device(hipMemset3DAsync(target, value, extent, nullptr), nullptr);
}

}  // namespace hip_on_cpu
