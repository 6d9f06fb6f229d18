// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nodes of any kind by one call, and those of the driver's copies and fills.
#pragma once

#include "hip/detail/context_api.h"
#include "hip/detail/graph_api.h"

struct hipMemcpyNodeParams {
  int flags;        ///< 0
  int reserved[3];  ///< 0
  hipMemcpy3DParms copyParams;
};

struct hipChildGraphNodeParams {
  hipGraph_t graph;
};

struct hipEventWaitNodeParams {
  hipEvent_t event;
};

struct hipEventRecordNodeParams {
  hipEvent_t event;
};

struct hipGraphNodeParams {
  hipGraphNodeType type;
  int reserved0[3];
  union {
    long long reserved1[29] = {};
    hipKernelNodeParams kernel;
    hipMemcpyNodeParams memcpy;
    hipMemsetParams memset;
    hipHostNodeParams host;
    hipChildGraphNodeParams graph;
    hipEventWaitNodeParams eventWait;
    hipEventRecordNodeParams eventRecord;
    hipMemAllocNodeParams alloc;  ///< gets the address
    hipMemFreeNodeParams free;
  };
  long long reserved2;
};

struct HIP_MEMSET_NODE_PARAMS {
  hipDeviceptr_t dst;
  size_t pitch;
  unsigned value;
  unsigned elementSize;
  size_t width;
  size_t height;
};

namespace simt {

inline bool is_plain(const hipMemcpyNodeParams& copy) { return copy.flags == 0; }

/// An end of a driver's copy as hipMemcpy3D has it; false where it is an array.
inline bool end_of(hipMemoryType type, const void* host, hipDeviceptr_t device, size_t pitch, size_t rows, size_t width,
                   hipPitchedPtr* end, bool* is_device) {
  if (type == hipMemoryTypeArray) return false;
  *is_device = type != hipMemoryTypeHost;
  *end = {*is_device ? device : const_cast<void*>(host), pitch, width, rows};
  return true;
}

inline hipError_t as_copy(const HIP_MEMCPY3D* copy, hipMemcpy3DParms* same) {
  if (copy == nullptr || copy->srcLOD != 0 || copy->dstLOD != 0) return hipErrorInvalidValue;
  bool from_device = false, to_device = false;
  *same = {};
  if (!end_of(copy->srcMemoryType, copy->srcHost, copy->srcDevice, copy->srcPitch, copy->srcHeight, copy->WidthInBytes,
              &same->srcPtr, &from_device) ||
      !end_of(copy->dstMemoryType, copy->dstHost, copy->dstDevice, copy->dstPitch, copy->dstHeight, copy->WidthInBytes,
              &same->dstPtr, &to_device)) {
    return hipErrorNotSupported;
  }
  same->srcPos = {copy->srcXInBytes, copy->srcY, copy->srcZ};
  same->dstPos = {copy->dstXInBytes, copy->dstY, copy->dstZ};
  same->extent = {copy->WidthInBytes, copy->Height, copy->Depth};
  same->kind = from_device ? (to_device ? hipMemcpyDeviceToDevice : hipMemcpyDeviceToHost)
                           : (to_device ? hipMemcpyHostToDevice : hipMemcpyHostToHost);
  return hipSuccess;
}

inline hipError_t as_driver_s(const hipMemcpy3DParms& copy, HIP_MEMCPY3D* same) {
  if (copy.srcArray != nullptr || copy.dstArray != nullptr) return hipErrorNotSupported;
  const bool from_host = copy.kind == hipMemcpyHostToDevice || copy.kind == hipMemcpyHostToHost;
  const bool to_host = copy.kind == hipMemcpyDeviceToHost || copy.kind == hipMemcpyHostToHost;
  *same = {};
  same->srcMemoryType = from_host ? hipMemoryTypeHost : hipMemoryTypeDevice;
  same->dstMemoryType = to_host ? hipMemoryTypeHost : hipMemoryTypeDevice;
  if (from_host) same->srcHost = copy.srcPtr.ptr;
  if (!from_host) same->srcDevice = copy.srcPtr.ptr;
  (to_host ? same->dstHost : same->dstDevice) = copy.dstPtr.ptr;
  same->srcPitch = copy.srcPtr.pitch;
  same->dstPitch = copy.dstPtr.pitch;
  same->srcHeight = copy.srcPtr.ysize;
  same->dstHeight = copy.dstPtr.ysize;
  same->srcXInBytes = copy.srcPos.x;
  same->srcY = copy.srcPos.y;
  same->srcZ = copy.srcPos.z;
  same->dstXInBytes = copy.dstPos.x;
  same->dstY = copy.dstPos.y;
  same->dstZ = copy.dstPos.z;
  same->WidthInBytes = copy.extent.width;
  same->Height = copy.extent.height;
  same->Depth = copy.extent.depth;
  return hipSuccess;
}

inline hipMemsetParams as_fill(const HIP_MEMSET_NODE_PARAMS& fill) {
  return {fill.dst, fill.elementSize, fill.height, fill.pitch, fill.value, fill.width};
}

}  // namespace simt

inline namespace hip_on_cpu {

inline hipError_t hipGraphAddNode(hipGraphNode_t* node, hipGraph_t graph, const hipGraphNode_t* dependencies,
                                  size_t count, hipGraphNodeParams* parameters) {
  if (parameters == nullptr) return hipErrorInvalidValue;
  switch (parameters->type) {
    case hipGraphNodeTypeKernel:
      return hipGraphAddKernelNode(node, graph, dependencies, count, &parameters->kernel);
    case hipGraphNodeTypeMemcpy:
      if (!simt::is_plain(parameters->memcpy)) return hipErrorInvalidValue;
      return hipGraphAddMemcpyNode(node, graph, dependencies, count, &parameters->memcpy.copyParams);
    case hipGraphNodeTypeMemset:
      return hipGraphAddMemsetNode(node, graph, dependencies, count, &parameters->memset);
    case hipGraphNodeTypeHost:
      return hipGraphAddHostNode(node, graph, dependencies, count, &parameters->host);
    case hipGraphNodeTypeGraph:
      return hipGraphAddChildGraphNode(node, graph, dependencies, count, parameters->graph.graph);
    case hipGraphNodeTypeEmpty:
      return hipGraphAddEmptyNode(node, graph, dependencies, count);
    case hipGraphNodeTypeWaitEvent:
      return hipGraphAddEventWaitNode(node, graph, dependencies, count, parameters->eventWait.event);
    case hipGraphNodeTypeEventRecord:
      return hipGraphAddEventRecordNode(node, graph, dependencies, count, parameters->eventRecord.event);
    case hipGraphNodeTypeMemAlloc:
      return hipGraphAddMemAllocNode(node, graph, dependencies, count, &parameters->alloc);
    case hipGraphNodeTypeMemFree:
      return hipGraphAddMemFreeNode(node, graph, dependencies, count, parameters->free.dptr);
    case hipGraphNodeTypeExtSemaphoreSignal:
    case hipGraphNodeTypeExtSemaphoreWait:
      return hipErrorNotSupported;
    default:
      return hipErrorInvalidValue;
  }
}

/// Of the node's own kind; that of a node which allocates, frees or is empty cannot be changed.
inline hipError_t hipGraphNodeSetParams(hipGraphNode_t node, hipGraphNodeParams* parameters) {
  if (parameters == nullptr) return hipErrorInvalidValue;
  switch (parameters->type) {
    case hipGraphNodeTypeKernel:
      return hipGraphKernelNodeSetParams(node, &parameters->kernel);
    case hipGraphNodeTypeMemcpy:
      if (!simt::is_plain(parameters->memcpy)) return hipErrorInvalidValue;
      return hipGraphMemcpyNodeSetParams(node, &parameters->memcpy.copyParams);
    case hipGraphNodeTypeMemset:
      return hipGraphMemsetNodeSetParams(node, &parameters->memset);
    case hipGraphNodeTypeHost:
      return hipGraphHostNodeSetParams(node, &parameters->host);
    case hipGraphNodeTypeWaitEvent:
      return hipGraphEventWaitNodeSetEvent(node, parameters->eventWait.event);
    case hipGraphNodeTypeEventRecord:
      return hipGraphEventRecordNodeSetEvent(node, parameters->eventRecord.event);
    default:
      return hipErrorInvalidValue;
  }
}

inline hipError_t hipGraphExecNodeSetParams(hipGraphExec_t executable, hipGraphNode_t node,
                                            hipGraphNodeParams* parameters) {
  if (parameters == nullptr) return hipErrorInvalidValue;
  switch (parameters->type) {
    case hipGraphNodeTypeKernel:
      return hipGraphExecKernelNodeSetParams(executable, node, &parameters->kernel);
    case hipGraphNodeTypeMemcpy:
      if (!simt::is_plain(parameters->memcpy)) return hipErrorInvalidValue;
      return hipGraphExecMemcpyNodeSetParams(executable, node, &parameters->memcpy.copyParams);
    case hipGraphNodeTypeMemset:
      return hipGraphExecMemsetNodeSetParams(executable, node, &parameters->memset);
    case hipGraphNodeTypeHost:
      return hipGraphExecHostNodeSetParams(executable, node, &parameters->host);
    case hipGraphNodeTypeGraph:
      return hipGraphExecChildGraphNodeSetParams(executable, node, parameters->graph.graph);
    case hipGraphNodeTypeWaitEvent:
      return hipGraphExecEventWaitNodeSetEvent(executable, node, parameters->eventWait.event);
    case hipGraphNodeTypeEventRecord:
      return hipGraphExecEventRecordNodeSetEvent(executable, node, parameters->eventRecord.event);
    default:
      return hipErrorInvalidValue;
  }
}

// The driver's. Copies of arrays: hipErrorNotSupported. There is one context.

inline hipError_t hipDrvGraphAddMemcpyNode(hipGraphNode_t* node, hipGraph_t graph, const hipGraphNode_t* dependencies,
                                           size_t count, const HIP_MEMCPY3D* parameters, hipCtx_t) {
  hipMemcpy3DParms same;
  if (const hipError_t code = simt::as_copy(parameters, &same)) return code;
  return hipGraphAddMemcpyNode(node, graph, dependencies, count, &same);
}

inline hipError_t hipDrvGraphMemcpyNodeSetParams(hipGraphNode_t node, const HIP_MEMCPY3D* parameters) {
  hipMemcpy3DParms same;
  if (const hipError_t code = simt::as_copy(parameters, &same)) return code;
  return hipGraphMemcpyNodeSetParams(node, &same);
}

inline hipError_t hipDrvGraphMemcpyNodeGetParams(hipGraphNode_t node, HIP_MEMCPY3D* parameters) {
  hipMemcpy3DParms same;
  if (parameters == nullptr) return hipErrorInvalidValue;
  if (const hipError_t code = hipGraphMemcpyNodeGetParams(node, &same)) return code;
  return simt::as_driver_s(same, parameters);
}

inline hipError_t hipDrvGraphExecMemcpyNodeSetParams(hipGraphExec_t executable, hipGraphNode_t node,
                                                     const HIP_MEMCPY3D* parameters, hipCtx_t) {
  hipMemcpy3DParms same;
  if (const hipError_t code = simt::as_copy(parameters, &same)) return code;
  return hipGraphExecMemcpyNodeSetParams(executable, node, &same);
}

inline hipError_t hipDrvGraphAddMemsetNode(hipGraphNode_t* node, hipGraph_t graph, const hipGraphNode_t* dependencies,
                                           size_t count, const HIP_MEMSET_NODE_PARAMS* parameters, hipCtx_t) {
  if (parameters == nullptr) return hipErrorInvalidValue;
  const hipMemsetParams same = simt::as_fill(*parameters);
  return hipGraphAddMemsetNode(node, graph, dependencies, count, &same);
}

inline hipError_t hipDrvGraphExecMemsetNodeSetParams(hipGraphExec_t executable, hipGraphNode_t node,
                                                     const HIP_MEMSET_NODE_PARAMS* parameters, hipCtx_t) {
  if (parameters == nullptr) return hipErrorInvalidValue;
  const hipMemsetParams same = simt::as_fill(*parameters);
  return hipGraphExecMemsetNodeSetParams(executable, node, &same);
}

}  // namespace hip_on_cpu
