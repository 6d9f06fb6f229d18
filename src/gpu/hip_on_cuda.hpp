// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lets HIP's older headers for NVIDIA compile with newer CUDA: includes <hip/hip_runtime.h>, with what CUDA 12 and 13
// took away put back around it. Compiled before each file that is built for NVIDIA (-include). Where HIP and CUDA
// fit each other, and on every other platform, it is <hip/hip_runtime.h> and nothing more.
//
// HIP's headers call all of CUDA's runtime in inline functions, so that a declaration that is gone breaks programs
// that never use it. What cannot work any more answers cudaErrorNotSupported.
#pragma once

// Names the platform.
#include <hip/hip_common.h>
#include <hip/hip_version.h>

#if defined(__HIP_PLATFORM_NVIDIA__)

#include <cuda.h>
#include <cuda_runtime_api.h>

// HIP 5.6 knows CUDA 12, HIP 7 knows CUDA 13.
#if CUDART_VERSION >= 12000 && (HIP_VERSION_MAJOR < 5 || (HIP_VERSION_MAJOR == 5 && HIP_VERSION_MINOR < 6))
#define WARPZ_MENDS_CUDA_12
#endif
#if CUDART_VERSION >= 13000 && HIP_VERSION_MAJOR < 7
#define WARPZ_MENDS_CUDA_13
#endif

#endif

#ifdef WARPZ_MENDS_CUDA_12

template <class T, int dim, enum cudaTextureReadMode mode>
struct texture;

template <class... Any>
cudaError_t cudaBindTexture(Any...) {
  return cudaErrorNotSupported;
}
template <class... Any>
cudaError_t cudaBindTexture2D(Any...) {
  return cudaErrorNotSupported;
}
template <class... Any>
cudaError_t cudaBindTextureToArray(const Any&...) {
  return cudaErrorNotSupported;
}
template <class... Any>
cudaError_t cudaUnbindTexture(const Any&...) {
  return cudaErrorNotSupported;
}
template <class... Any>
cudaError_t cudaGetTextureAlignmentOffset(Any...) {
  return cudaErrorNotSupported;
}
template <class... Any>
cudaError_t cudaGetTextureReference(Any...) {
  return cudaErrorNotSupported;
}

#endif  // WARPZ_MENDS_CUDA_12

#ifdef WARPZ_MENDS_CUDA_13

/// The properties that CUDA 13 made attributes.
struct warpz_cuda_device_properties : cudaDeviceProp {
  int clockRate;
  int memoryClockRate;
  int computeMode;
  int kernelExecTimeoutEnabled;
  int deviceOverlap;
  int cooperativeMultiDeviceLaunch;
  int singleToDoublePrecisionPerfRatio;
  int maxTexture1DLinear;
};

inline cudaError_t cudaGetDeviceProperties(warpz_cuda_device_properties* properties, int device) {
  cudaError_t result = cudaGetDeviceProperties(static_cast<cudaDeviceProp*>(properties), device);
  const auto read = [&](int& field, cudaDeviceAttr attribute) {
    if (result == cudaSuccess) result = cudaDeviceGetAttribute(&field, attribute, device);
  };
  read(properties->clockRate, cudaDevAttrClockRate);
  read(properties->memoryClockRate, cudaDevAttrMemoryClockRate);
  read(properties->computeMode, cudaDevAttrComputeMode);
  read(properties->kernelExecTimeoutEnabled, cudaDevAttrKernelExecTimeout);
  read(properties->deviceOverlap, cudaDevAttrGpuOverlap);
  read(properties->singleToDoublePrecisionPerfRatio, cudaDevAttrSingleToDoublePrecisionPerfRatio);
  read(properties->maxTexture1DLinear, cudaDevAttrMaxTexture1DLinearWidth);
  // Launches across several devices are gone, so none can do one.
  properties->cooperativeMultiDeviceLaunch = 0;
  return result;
}

#define cudaDeviceProp warpz_cuda_device_properties

inline constexpr cudaDeviceAttr cudaDevAttrCooperativeMultiDeviceLaunch = static_cast<cudaDeviceAttr>(96);

template <class... Any>
cudaError_t cudaLaunchCooperativeKernelMultiDevice(Any...) {
  return cudaErrorNotSupported;
}

inline cudaMemLocation warpz_memory_location(int device) {
  cudaMemLocation location{};
  location.type = device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
  location.id = device == cudaCpuDeviceId ? 0 : device;
  return location;
}

inline cudaError_t cudaMemAdvise(const void* memory, size_t bytes, cudaMemoryAdvise advice, int device) {
  return cudaMemAdvise(memory, bytes, advice, warpz_memory_location(device));
}

inline cudaError_t cudaMemPrefetchAsync(const void* memory, size_t bytes, int device, cudaStream_t stream) {
  return cudaMemPrefetchAsync(memory, bytes, warpz_memory_location(device), 0, stream);
}

inline CUresult cuCtxCreate(CUcontext* context, unsigned flags, CUdevice device) {
  return cuCtxCreate(context, nullptr, flags, device);
}

// Edges of a graph have data since CUDA 12.3; null stands for edges without.

inline cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* source,
                                            const cudaGraphNode_t* target, size_t count) {
  return cudaGraphAddDependencies(graph, source, target, nullptr, count);
}

inline cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* source,
                                               const cudaGraphNode_t* target, size_t count) {
  return cudaGraphRemoveDependencies(graph, source, target, nullptr, count);
}

inline cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* source, cudaGraphNode_t* target,
                                     size_t* count) {
  return cudaGraphGetEdges(graph, source, target, nullptr, count);
}

inline cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* found, size_t* count) {
  return cudaGraphNodeGetDependencies(node, found, nullptr, count);
}

inline cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* found, size_t* count) {
  return cudaGraphNodeGetDependentNodes(node, found, nullptr, count);
}

inline cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                               unsigned long long* id, cudaGraph_t* graph,
                                               const cudaGraphNode_t** dependencies, size_t* count) {
  return cudaStreamGetCaptureInfo(stream, status, id, graph, dependencies, nullptr, count);
}

inline CUresult cuStreamGetCaptureInfo_v2(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* id,
                                          CUgraph* graph, const CUgraphNode** dependencies, size_t* count) {
  return cuStreamGetCaptureInfo(stream, status, id, graph, dependencies, nullptr, count);
}

inline cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* dependencies, size_t count,
                                                       unsigned flags) {
  return cudaStreamUpdateCaptureDependencies(stream, dependencies, nullptr, count, flags);
}

#endif  // WARPZ_MENDS_CUDA_13

#include <hip/hip_runtime.h>

#ifdef WARPZ_MENDS_CUDA_13
#undef cudaDeviceProp
#endif
