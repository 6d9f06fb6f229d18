// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CUDA runtime's host side on the CPU machine: HIP's (hip/hip_runtime_api.h) by CUDA's names. What is not in
// cuda/detail/runtime_names.h does not exist on this machine.
#pragma once

#define __CUDA_RUNTIME_API_H__

#include "cuda/detail/language.h"

#include <hip/hip_runtime_api.h>

#include "cuda/detail/device_attributes.h"
#include "cuda/detail/memory_places.h"
#include "driver_types.h"
#include "vector_types.h"

/// The release whose names these are.
#define CUDART_VERSION 12040

#define CUDARTAPI
#define CUDART_CB

// In the words of CUDA.

inline const char* cudaGetErrorName(cudaError_t error) { return simt::cuda_error_name(error); }
inline const char* cudaGetErrorString(cudaError_t error) { return hipGetErrorString(error); }

inline cudaError_t cudaRuntimeGetVersion(int* version) {
  if (version == nullptr) return cudaErrorInvalidValue;
  *version = CUDART_VERSION;
  return cudaSuccess;
}
inline cudaError_t cudaDriverGetVersion(int* version) { return cudaRuntimeGetVersion(version); }

// What HIP has otherwise, or not at all.

inline cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned flags) { return hipEventCreateWithFlags(event, flags); }

template <class _Tp>
cudaError_t cudaMallocHost(_Tp** pointer, size_t bytes, unsigned flags) {
  return cudaHostAlloc(pointer, bytes, flags);
}
