// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The forms of HIP's calls that know a type: typed pointers, device variables, kernels.
#pragma once

#include <type_traits>

#include "hip/detail/api_types.h"
#include "simt/lane.hpp"

namespace simt {

// A device variable is the host's variable of the same name; what is copied has to stay within its `size`.
SIMT_API hipError_t copy_to_symbol(void* symbol, size_t size, const void* source, size_t bytes, size_t offset,
                                   hipMemcpyKind kind, hipStream_t stream, bool waits);
SIMT_API hipError_t copy_from_symbol(void* target, const void* symbol, size_t size, size_t bytes, size_t offset,
                                     hipMemcpyKind kind, hipStream_t stream, bool waits);
SIMT_API hipError_t symbol_address(void** pointer, void* symbol, size_t size);
SIMT_API hipError_t symbol_size(size_t* bytes, size_t size);

/// What cudaGetErrorName returns.
SIMT_API const char* cuda_error_name(hipError_t error);

}  // namespace simt

#define HIP_SYMBOL(symbol) symbol

inline namespace hip_on_cpu {

// C's cast, because the pointer may be one to const.
template <class _Tp>
hipError_t hipMalloc(_Tp** pointer, size_t bytes) {
  return hipMalloc((void**)pointer, bytes);
}

template <class _Tp>
hipError_t hipMallocManaged(_Tp** pointer, size_t bytes, unsigned flags = hipMemAttachGlobal) {
  return hipMallocManaged((void**)pointer, bytes, flags);
}

template <class _Tp>
hipError_t hipHostMalloc(_Tp** pointer, size_t bytes, unsigned flags = hipHostMallocDefault) {
  return hipHostMalloc((void**)pointer, bytes, flags);
}

template <class _Tp>
hipError_t hipHostAlloc(_Tp** pointer, size_t bytes, unsigned flags = hipHostAllocDefault) {
  return hipHostAlloc((void**)pointer, bytes, flags);
}

template <class _Tp>
hipError_t hipMallocHost(_Tp** pointer, size_t bytes) {
  return hipMallocHost((void**)pointer, bytes);
}

template <class _Tp>
hipError_t hipMallocPitch(_Tp** pointer, size_t* pitch, size_t width, size_t height) {
  return hipMallocPitch((void**)pointer, pitch, width, height);
}

template <class _Tp>
hipError_t hipHostGetDevicePointer(_Tp** device_pointer, void* host_pointer, unsigned flags) {
  return hipHostGetDevicePointer((void**)device_pointer, host_pointer, flags);
}

template <class _Tp>
hipError_t hipMemcpyToSymbol(_Tp& symbol, const void* source, size_t bytes, size_t offset = 0,
                             hipMemcpyKind kind = hipMemcpyHostToDevice) {
  return simt::copy_to_symbol(&symbol, sizeof symbol, source, bytes, offset, kind, nullptr, true);
}

template <class _Tp>
hipError_t hipMemcpyToSymbolAsync(_Tp& symbol, const void* source, size_t bytes, size_t offset, hipMemcpyKind kind,
                                  hipStream_t stream = nullptr) {
  return simt::copy_to_symbol(&symbol, sizeof symbol, source, bytes, offset, kind, stream, false);
}

template <class _Tp>
hipError_t hipMemcpyFromSymbol(void* target, const _Tp& symbol, size_t bytes, size_t offset = 0,
                               hipMemcpyKind kind = hipMemcpyDeviceToHost) {
  return simt::copy_from_symbol(target, &symbol, sizeof symbol, bytes, offset, kind, nullptr, true);
}

template <class _Tp>
hipError_t hipMemcpyFromSymbolAsync(void* target, const _Tp& symbol, size_t bytes, size_t offset, hipMemcpyKind kind,
                                    hipStream_t stream = nullptr) {
  return simt::copy_from_symbol(target, &symbol, sizeof symbol, bytes, offset, kind, stream, false);
}

/// The variable is device memory for the calls that follow, as if allocated.
template <class _Tp>
hipError_t hipGetSymbolAddress(void** pointer, _Tp& symbol) {
  return simt::symbol_address(pointer, const_cast<std::remove_const_t<_Tp>*>(&symbol), sizeof symbol);
}

template <class _Up, class _Tp>
hipError_t hipGetSymbolAddress(_Up** pointer, _Tp& symbol) {
  return hipGetSymbolAddress((void**)pointer, symbol);
}

template <class _Tp>
hipError_t hipGetSymbolSize(size_t* bytes, _Tp& symbol) {
  return simt::symbol_size(bytes, sizeof symbol);
}

template <class... _Parameters>
hipError_t hipFuncGetAttributes(hipFuncAttributes* attributes, void (*kernel)(_Parameters...)) {
  return hipFuncGetAttributes(attributes, reinterpret_cast<const void*>(kernel));
}

template <class... _Parameters>
hipError_t hipFuncSetAttribute(void (*kernel)(_Parameters...), hipFuncAttribute attribute, int value) {
  return hipFuncSetAttribute(reinterpret_cast<const void*>(kernel), attribute, value);
}

template <class... _Parameters>
hipError_t hipFuncSetCacheConfig(void (*kernel)(_Parameters...), hipFuncCache_t config) {
  return hipFuncSetCacheConfig(reinterpret_cast<const void*>(kernel), config);
}

template <class... _Parameters>
hipError_t hipFuncSetSharedMemConfig(void (*kernel)(_Parameters...), hipSharedMemConfig config) {
  return hipFuncSetSharedMemConfig(reinterpret_cast<const void*>(kernel), config);
}

template <class... _Parameters>
hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, void (*kernel)(_Parameters...), int block_size,
                                                        size_t shared_bytes) {
  return hipOccupancyMaxActiveBlocksPerMultiprocessor(blocks, reinterpret_cast<const void*>(kernel), block_size,
                                                      shared_bytes);
}

template <class... _Parameters>
hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, void (*kernel)(_Parameters...),
                                                                 int block_size, size_t shared_bytes, unsigned flags) {
  return hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, reinterpret_cast<const void*>(kernel),
                                                               block_size, shared_bytes, flags);
}

template <class... _Parameters>
hipError_t hipOccupancyMaxPotentialBlockSize(int* grid_size, int* block_size, void (*kernel)(_Parameters...),
                                             size_t shared_bytes = 0, int block_size_limit = 0) {
  return hipOccupancyMaxPotentialBlockSize(grid_size, block_size, reinterpret_cast<const void*>(kernel), shared_bytes,
                                           block_size_limit);
}

}  // namespace hip_on_cpu
