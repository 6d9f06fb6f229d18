// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HIP's calls that do what others do, with other arguments.
#pragma once

#include <cstdio>
#include <utility>

#include "hip/detail/array_api.h"
#include "hip/detail/modules.h"

typedef hipUUID hipUUID_t;

// What HIP 6's header calls its own.
#define hipDeviceProp_tR0600 hipDeviceProp_t
#define hipGetDevicePropertiesR0600 hipGetDeviceProperties
#define hipChooseDeviceR0600 hipChooseDevice

inline namespace hip_on_cpu {

// Devices.

inline hipError_t hipDeviceGetUuid(hipUUID* uuid, hipDevice_t device) {
  if (uuid == nullptr) return hipErrorInvalidValue;
  hipDeviceProp_t properties;
  if (const hipError_t code = hipGetDeviceProperties(&properties, device)) return code;
  *uuid = properties.uuid;
  return hipSuccess;
}

/// "0000:01:00.0": the bus has the device's number.
inline hipError_t hipDeviceGetPCIBusId(char* id, int length, int device) {
  constexpr int needed = 13;
  if (id == nullptr || length < needed) return hipErrorInvalidValue;
  hipDeviceProp_t properties;
  if (const hipError_t code = hipGetDeviceProperties(&properties, device)) return code;
  std::snprintf(id, needed, "%04x:%02x:%02x.0", static_cast<unsigned>(properties.pciDomainID) & 0xffff,
                static_cast<unsigned>(properties.pciBusID) & 0xff,
                static_cast<unsigned>(properties.pciDeviceID) & 0xff);
  return hipSuccess;
}

inline hipError_t hipDeviceGetByPCIBusId(int* device, const char* id) {
  if (device == nullptr || id == nullptr) return hipErrorInvalidValue;
  unsigned domain = 0, bus = 0, number = 0;
  if (std::sscanf(id, "%x:%x:%x", &domain, &bus, &number) != 3) return hipErrorInvalidValue;
  int count = 0;
  if (const hipError_t code = hipGetDeviceCount(&count)) return code;
  for (int each = 0; each < count; ++each) {
    hipDeviceProp_t properties;
    if (const hipError_t code = hipGetDeviceProperties(&properties, each)) return code;
    if (static_cast<unsigned>(properties.pciDomainID) != domain || static_cast<unsigned>(properties.pciBusID) != bus ||
        static_cast<unsigned>(properties.pciDeviceID) != number) {
      continue;
    }
    *device = each;
    return hipSuccess;
  }
  return hipErrorInvalidValue;
}

/// The current device, or the one that has as many lanes in a warp as is asked for.
inline hipError_t hipChooseDevice(int* device, const hipDeviceProp_t* wanted) {
  if (device == nullptr || wanted == nullptr) return hipErrorInvalidValue;
  int count = 0;
  if (const hipError_t code = hipGetDeviceCount(&count)) return code;
  if (const hipError_t code = hipGetDevice(device)) return code;
  for (int each = 0; each < count; ++each) {
    int lanes = 0;
    if (const hipError_t code = hipDeviceGetAttribute(&lanes, hipDeviceAttributeWarpSize, each)) return code;
    if (lanes == wanted->warpSize) *device = each;
  }
  return hipSuccess;
}

/// The stream's device, or -1 for what is no stream.
inline int hipGetStreamDeviceId(hipStream_t stream) {
  hipDevice_t device = -1;
  return hipStreamGetDevice(stream, &device) == hipSuccess ? device : -1;
}

// Memory.

inline hipError_t hipMemAllocHost(void** pointer, size_t bytes) { return hipMallocHost(pointer, bytes); }
inline hipError_t hipExtHostAlloc(void** pointer, size_t bytes, unsigned flags) {
  return hipHostAlloc(pointer, bytes, flags);
}

/// Widths are in elements.
inline hipError_t hipMemsetD2D8Async(hipDeviceptr_t target, size_t pitch, unsigned char value, size_t width,
                                     size_t height, hipStream_t stream = nullptr) {
  return hipMemset2DAsync(target, pitch, value, width, height, stream);
}
inline hipError_t hipMemsetD2D16Async(hipDeviceptr_t target, size_t pitch, unsigned short value, size_t width,
                                      size_t height, hipStream_t stream = nullptr) {
  for (size_t y = 0; y < height; ++y) {
    if (const hipError_t code = hipMemsetD16Async(static_cast<char*>(target) + y * pitch, value, width, stream)) {
      return code;
    }
  }
  return hipSuccess;
}
inline hipError_t hipMemsetD2D32Async(hipDeviceptr_t target, size_t pitch, unsigned value, size_t width, size_t height,
                                      hipStream_t stream = nullptr) {
  for (size_t y = 0; y < height; ++y) {
    if (const hipError_t code =
            hipMemsetD32Async(static_cast<char*>(target) + y * pitch, static_cast<int>(value), width, stream)) {
      return code;
    }
  }
  return hipSuccess;
}
inline hipError_t hipMemsetD2D8(hipDeviceptr_t target, size_t pitch, unsigned char value, size_t width, size_t height) {
  return hipMemset2D(target, pitch, value, width, height);
}
inline hipError_t hipMemsetD2D16(hipDeviceptr_t target, size_t pitch, unsigned short value, size_t width,
                                 size_t height) {
  if (const hipError_t code = hipMemsetD2D16Async(target, pitch, value, width, height)) return code;
  return hipStreamSynchronize(nullptr);
}
inline hipError_t hipMemsetD2D32(hipDeviceptr_t target, size_t pitch, unsigned value, size_t width, size_t height) {
  if (const hipError_t code = hipMemsetD2D32Async(target, pitch, value, width, height)) return code;
  return hipStreamSynchronize(nullptr);
}

// Arrays of one dimension; offsets are in bytes.

inline hipError_t hipMemcpyAtoD(hipDeviceptr_t target, hipArray_t source, size_t offset, size_t bytes) {
  hip_Memcpy2D copy{};
  copy.srcMemoryType = hipMemoryTypeArray, copy.srcArray = source, copy.srcXInBytes = offset;
  copy.dstMemoryType = hipMemoryTypeDevice, copy.dstDevice = target;
  copy.WidthInBytes = bytes, copy.Height = 1;
  return hipMemcpyParam2D(&copy);
}
inline hipError_t hipMemcpyDtoA(hipArray_t target, size_t offset, hipDeviceptr_t source, size_t bytes) {
  hip_Memcpy2D copy{};
  copy.srcMemoryType = hipMemoryTypeDevice, copy.srcDevice = source;
  copy.dstMemoryType = hipMemoryTypeArray, copy.dstArray = target, copy.dstXInBytes = offset;
  copy.WidthInBytes = bytes, copy.Height = 1;
  return hipMemcpyParam2D(&copy);
}
inline hipError_t hipMemcpyAtoA(hipArray_t target, size_t target_offset, hipArray_t source, size_t source_offset,
                                size_t bytes) {
  hip_Memcpy2D copy{};
  copy.srcMemoryType = hipMemoryTypeArray, copy.srcArray = source, copy.srcXInBytes = source_offset;
  copy.dstMemoryType = hipMemoryTypeArray, copy.dstArray = target, copy.dstXInBytes = target_offset;
  copy.WidthInBytes = bytes, copy.Height = 1;
  return hipMemcpyParam2D(&copy);
}
inline hipError_t hipMemcpyAtoHAsync(void* target, hipArray_t source, size_t offset, size_t bytes, hipStream_t stream) {
  hip_Memcpy2D copy{};
  copy.srcMemoryType = hipMemoryTypeArray, copy.srcArray = source, copy.srcXInBytes = offset;
  copy.dstMemoryType = hipMemoryTypeHost, copy.dstHost = target;
  copy.WidthInBytes = bytes, copy.Height = 1;
  return hipMemcpyParam2DAsync(&copy, stream);
}
inline hipError_t hipMemcpyHtoAAsync(hipArray_t target, size_t offset, const void* source, size_t bytes,
                                     hipStream_t stream) {
  hip_Memcpy2D copy{};
  copy.srcMemoryType = hipMemoryTypeHost, copy.srcHost = source;
  copy.dstMemoryType = hipMemoryTypeArray, copy.dstArray = target, copy.dstXInBytes = offset;
  copy.WidthInBytes = bytes, copy.Height = 1;
  return hipMemcpyParam2DAsync(&copy, stream);
}

inline hipError_t hipMemcpy3DPeerAsync(hipMemcpy3DPeerParms* copy, hipStream_t stream = nullptr) {
  if (copy == nullptr) return hipErrorInvalidValue;
  const hipMemcpy3DParms same = {copy->srcArray, copy->srcPos, copy->srcPtr, copy->dstArray,
                                 copy->dstPos,   copy->dstPtr, copy->extent, hipMemcpyDeviceToDevice};
  return hipMemcpy3DAsync(&same, stream);
}
inline hipError_t hipMemcpy3DPeer(hipMemcpy3DPeerParms* copy) {
  if (const hipError_t code = hipMemcpy3DPeerAsync(copy)) return code;
  return hipStreamSynchronize(nullptr);
}

// Occupancy. The flags change nothing here.

inline hipError_t hipModuleOccupancyMaxPotentialBlockSizeWithFlags(int* grid_size, int* block_size,
                                                                   hipFunction_t function, size_t shared_bytes,
                                                                   int block_size_limit, unsigned /*flags*/) {
  return hipModuleOccupancyMaxPotentialBlockSize(grid_size, block_size, function, shared_bytes, block_size_limit);
}
inline hipError_t hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, hipFunction_t function,
                                                                              int block_size, size_t shared_bytes,
                                                                              unsigned /*flags*/) {
  return hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, block_size, shared_bytes);
}

template <class _Function>
hipError_t hipOccupancyMaxPotentialBlockSizeWithFlags(int* grid_size, int* block_size, _Function kernel,
                                                      size_t shared_bytes = 0, int block_size_limit = 0,
                                                      unsigned /*flags*/ = 0) {
  return hipOccupancyMaxPotentialBlockSize(grid_size, block_size, reinterpret_cast<const void*>(kernel), shared_bytes,
                                           block_size_limit);
}

/// The most threads at once, where a block's shared memory depends on its size; of equals, the largest block.
template <class _Function, class _Bytes>
hipError_t hipOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(int* grid_size, int* block_size, _Function kernel,
                                                                  _Bytes shared_bytes, int block_size_limit = 0,
                                                                  unsigned /*flags*/ = 0) {
  if (grid_size == nullptr || block_size == nullptr) return hipErrorInvalidValue;
  const void* const function = reinterpret_cast<const void*>(kernel);
  int device = 0, processors = 0, lanes = 0, most = 0, threads = 0;
  if (const hipError_t code = hipGetDevice(&device)) return code;
  for (const auto& [value, attribute] :
       {std::pair{&processors, hipDeviceAttributeMultiprocessorCount}, std::pair{&lanes, hipDeviceAttributeWarpSize},
        std::pair{&most, hipDeviceAttributeMaxThreadsPerBlock}}) {
    if (const hipError_t code = hipDeviceGetAttribute(value, attribute, device)) return code;
  }
  if (block_size_limit > 0 && block_size_limit < most) most = block_size_limit;
  for (int size = most - most % lanes; size > 0; size -= lanes) {
    int blocks = 0;
    if (const hipError_t code = hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, size,
                                                                             static_cast<size_t>(shared_bytes(size)))) {
      return code;
    }
    if (blocks * size <= threads) continue;
    threads = blocks * size;
    *block_size = size;
    *grid_size = blocks * processors;
  }
  return threads > 0 ? hipSuccess : hipErrorInvalidValue;
}
template <class _Function, class _Bytes>
hipError_t hipOccupancyMaxPotentialBlockSizeVariableSMem(int* grid_size, int* block_size, _Function kernel,
                                                         _Bytes shared_bytes, int block_size_limit = 0) {
  return hipOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(grid_size, block_size, kernel, shared_bytes,
                                                                block_size_limit);
}

}  // namespace hip_on_cpu
