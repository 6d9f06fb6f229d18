// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HIP's calls that copy and fill memory.
#include <cstdint>

#include "simt/hip/capture.hpp"
#include "simt/hip/devices.hpp"
#include "simt/hip/errors.hpp"
#include "simt/hip/images.hpp"

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

template <class Element>
hipError_t fill_line(void* target, Element value, std::size_t count, hipStream_t stream) {
  return submit(stream, fill{{target, sizeof value, 1, 0, static_cast<unsigned>(value), count}});
}

/// A side of a copy by its kind of memory. Arrays are no linear memory.
hipError_t find_side(hipMemoryType type, const void* host, const void* device, const void** memory, side* at) {
  switch (type) {
    case hipMemoryTypeHost:
      *memory = host;
      *at = side::host;
      return hipSuccess;
    case hipMemoryTypeDevice:
      *memory = device;
      *at = side::device;
      return hipSuccess;
    case hipMemoryTypeUnified:
    case hipMemoryTypeManaged:
      *memory = device;
      *at = side::any;
      return hipSuccess;
    default:
      return hipErrorInvalidValue;
  }
}

hipMemcpyKind direction(side source, side target) {
  if (source == side::any || target == side::any) return hipMemcpyDefault;
  if (source == side::host) return target == side::host ? hipMemcpyHostToHost : hipMemcpyHostToDevice;
  return target == side::host ? hipMemcpyDeviceToHost : hipMemcpyDeviceToDevice;
}

hipError_t submit_driver_copy(const HIP_MEMCPY3D* from, hipStream_t stream) {
  if (from == nullptr) return hipErrorInvalidValue;
  hipMemcpy3DParms copy{};
  side source_side = side::any;
  side target_side = side::any;
  const void* source = nullptr;
  const void* target = nullptr;
  if (const hipError_t code = find_side(from->srcMemoryType, from->srcHost, from->srcDevice, &source, &source_side))
    return code;
  if (const hipError_t code = find_side(from->dstMemoryType, from->dstHost, from->dstDevice, &target, &target_side))
    return code;
  // Zero: the copy's own rows and columns.
  const auto or_own = [](std::size_t given, std::size_t own) { return given != 0 ? given : own; };
  copy.srcPtr = {const_cast<void*>(source), or_own(from->srcPitch, from->WidthInBytes), from->WidthInBytes,
                 or_own(from->srcHeight, from->Height)};
  copy.dstPtr = {const_cast<void*>(target), or_own(from->dstPitch, from->WidthInBytes), from->WidthInBytes,
                 or_own(from->dstHeight, from->Height)};
  copy.srcPos = {from->srcXInBytes, from->srcY, from->srcZ};
  copy.dstPos = {from->dstXInBytes, from->dstY, from->dstZ};
  copy.extent = {from->WidthInBytes, from->Height, from->Depth};
  copy.kind = direction(source_side, target_side);
  return submit(stream, copy);
}

hipError_t submit_driver_rows(const hip_Memcpy2D* from, hipStream_t stream) {
  if (from == nullptr) return hipErrorInvalidValue;
  HIP_MEMCPY3D copy{};
  copy.srcXInBytes = from->srcXInBytes;
  copy.srcY = from->srcY;
  copy.srcMemoryType = from->srcMemoryType;
  copy.srcHost = from->srcHost;
  copy.srcDevice = from->srcDevice;
  copy.srcPitch = from->srcPitch;
  copy.dstXInBytes = from->dstXInBytes;
  copy.dstY = from->dstY;
  copy.dstMemoryType = from->dstMemoryType;
  copy.dstHost = from->dstHost;
  copy.dstDevice = from->dstDevice;
  copy.dstPitch = from->dstPitch;
  copy.WidthInBytes = from->WidthInBytes;
  copy.Height = from->Height;
  copy.Depth = 1;
  return submit_driver_copy(&copy, stream);
}

hipError_t check_peers(int target_device, int source_device) {
  return is_device(target_device) && is_device(source_device) ? hipSuccess : hipErrorInvalidDevice;
}

}  // namespace

hipError_t copy_to_symbol(void* symbol, std::size_t size, const void* source, std::size_t bytes, std::size_t offset,
                          hipMemcpyKind kind, hipStream_t stream) {
  return finish(submit(stream, symbol_copy{true, symbol, size, const_cast<void*>(source), bytes, offset, kind}));
}

hipError_t copy_from_symbol(void* target, const void* symbol, std::size_t size, std::size_t bytes, std::size_t offset,
                            hipMemcpyKind kind, hipStream_t stream) {
  return finish(submit(stream, symbol_copy{false, const_cast<void*>(symbol), size, target, bytes, offset, kind}));
}

}  // namespace simt

inline namespace hip_on_cpu {

using simt::finish;

hipError_t hipMemcpy(void* target, const void* source, size_t bytes, hipMemcpyKind kind) {
  return finish(simt::submit(nullptr, simt::line_copy{target, source, bytes, kind}));
}

hipError_t hipMemcpyAsync(void* target, const void* source, size_t bytes, hipMemcpyKind kind, hipStream_t stream) {
  return finish(simt::submit(stream, simt::line_copy{target, source, bytes, kind}));
}

hipError_t hipMemcpyWithStream(void* target, const void* source, size_t bytes, hipMemcpyKind kind, hipStream_t stream) {
  return finish(simt::submit(stream, simt::line_copy{target, source, bytes, kind}));
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
  return hipMemcpyPeerAsync(target, target_device, source, source_device, bytes, nullptr);
}

hipError_t hipMemcpy2DAsync(void* target, size_t target_pitch, const void* source, size_t source_pitch, size_t width,
                            size_t height, hipMemcpyKind kind, hipStream_t stream) {
  return finish(simt::submit(stream, simt::rows(target, target_pitch, source, source_pitch, width, height, kind)));
}

hipError_t hipMemcpy2D(void* target, size_t target_pitch, const void* source, size_t source_pitch, size_t width,
                       size_t height, hipMemcpyKind kind) {
  return hipMemcpy2DAsync(target, target_pitch, source, source_pitch, width, height, kind, nullptr);
}

hipError_t hipMemsetAsync(void* target, int value, size_t bytes, hipStream_t stream) {
  return finish(simt::fill_line(target, static_cast<unsigned char>(value), bytes, stream));
}

hipError_t hipMemset(void* target, int value, size_t bytes) { return hipMemsetAsync(target, value, bytes, nullptr); }

hipError_t hipMemsetD8Async(hipDeviceptr_t target, unsigned char value, size_t count, hipStream_t stream) {
  return finish(simt::fill_line(target, value, count, stream));
}

hipError_t hipMemsetD8(hipDeviceptr_t target, unsigned char value, size_t count) {
  return hipMemsetD8Async(target, value, count, nullptr);
}

hipError_t hipMemsetD16Async(hipDeviceptr_t target, unsigned short value, size_t count, hipStream_t stream) {
  return finish(simt::fill_line(target, value, count, stream));
}

hipError_t hipMemsetD16(hipDeviceptr_t target, unsigned short value, size_t count) {
  return hipMemsetD16Async(target, value, count, nullptr);
}

hipError_t hipMemsetD32Async(hipDeviceptr_t target, int value, size_t count, hipStream_t stream) {
  return finish(simt::fill_line(target, value, count, stream));
}

hipError_t hipMemsetD32(hipDeviceptr_t target, int value, size_t count) {
  return hipMemsetD32Async(target, value, count, nullptr);
}

hipError_t hipMemset2DAsync(void* target, size_t pitch, int value, size_t width, size_t height, hipStream_t stream) {
  if (width > pitch && height != 0) return finish(hipErrorInvalidPitchValue);
  return finish(simt::submit(stream, simt::fill{{target, 1, height, pitch, static_cast<unsigned>(value), width}}));
}

hipError_t hipMemset2D(void* target, size_t pitch, int value, size_t width, size_t height) {
  return hipMemset2DAsync(target, pitch, value, width, height, nullptr);
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
  return hipMemset3DAsync(target, value, extent, nullptr);
}

hipError_t hipMemcpy3DAsync(const hipMemcpy3DParms* copy, hipStream_t stream) {
  return finish(copy != nullptr ? simt::submit(stream, *copy) : hipErrorInvalidValue);
}

hipError_t hipMemcpy3D(const hipMemcpy3DParms* copy) { return hipMemcpy3DAsync(copy, nullptr); }

hipError_t hipDrvMemcpy3DAsync(const HIP_MEMCPY3D* copy, hipStream_t stream) {
  return finish(simt::submit_driver_copy(copy, stream));
}

hipError_t hipDrvMemcpy3D(const HIP_MEMCPY3D* copy) { return hipDrvMemcpy3DAsync(copy, nullptr); }

hipError_t hipMemcpyParam2DAsync(const hip_Memcpy2D* copy, hipStream_t stream) {
  return finish(simt::submit_driver_rows(copy, stream));
}

hipError_t hipMemcpyParam2D(const hip_Memcpy2D* copy) { return hipMemcpyParam2DAsync(copy, nullptr); }

}  // namespace hip_on_cpu
