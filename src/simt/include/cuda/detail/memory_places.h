// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where memory is to be: CUDA 13 has places where CUDA 12 has numbers of devices. And CUDA's limits that HIP lacks,
// which are hints.
#pragma once

#include "hip/hip_runtime_api.h"

constexpr hipMemLocationType cudaMemLocationTypeHost = static_cast<hipMemLocationType>(2);
constexpr hipMemLocationType cudaMemLocationTypeHostNuma = static_cast<hipMemLocationType>(3);
constexpr hipMemLocationType cudaMemLocationTypeHostNumaCurrent = static_cast<hipMemLocationType>(4);

constexpr hipLimit_t cudaLimitDevRuntimeSyncDepth = static_cast<hipLimit_t>(3);
constexpr hipLimit_t cudaLimitDevRuntimePendingLaunchCount = static_cast<hipLimit_t>(4);
constexpr hipLimit_t cudaLimitMaxL2FetchGranularity = static_cast<hipLimit_t>(5);
constexpr hipLimit_t cudaLimitPersistingL2CacheSize = static_cast<hipLimit_t>(6);

namespace simt {

/// -2, which is no device, for a place that does not exist.
inline int device_of_place(hipMemLocation place) {
  switch (static_cast<int>(place.type)) {
    case hipMemLocationTypeDevice:
      return place.id;
    case cudaMemLocationTypeHost:
    case cudaMemLocationTypeHostNuma:
    case cudaMemLocationTypeHostNumaCurrent:
      return hipCpuDeviceId;
    default:
      return hipInvalidDeviceId;
  }
}

}  // namespace simt

inline namespace hip_on_cpu {

inline hipError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, int device, hipStream_t stream = nullptr) {
  return hipMemPrefetchAsync(pointer, bytes, device, stream);
}
/// The flags have to be 0.
inline hipError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, hipMemLocation place, unsigned flags,
                                       hipStream_t stream = nullptr) {
  return hipMemPrefetchAsync(pointer, bytes, flags == 0 ? simt::device_of_place(place) : hipInvalidDeviceId, stream);
}
inline hipError_t cudaMemAdvise(const void* pointer, size_t bytes, hipMemoryAdvise advice, int device) {
  return hipMemAdvise(pointer, bytes, advice, device);
}
inline hipError_t cudaMemAdvise(const void* pointer, size_t bytes, hipMemoryAdvise advice, hipMemLocation place) {
  return hipMemAdvise(pointer, bytes, advice, simt::device_of_place(place));
}

/// No cache keeps anything here.
inline hipError_t cudaCtxResetPersistingL2Cache() { return hipSuccess; }

}  // namespace hip_on_cpu
