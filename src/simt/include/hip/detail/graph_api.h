// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HIP's graphs, and streams that are captured into graphs. A launch runs the nodes one after the other, each after
// those that it depends on, and returns when the last one has ended.
#pragma once

#include "hip/detail/graph_types.h"
#include "hip/detail/launch.h"
#include "simt/lane.hpp"

namespace simt {

/// Between a device variable and other memory.
struct symbol_copy {
  bool to_symbol;
  void* symbol;
  size_t size;
  void* memory;
  size_t bytes;
  size_t offset;
  hipMemcpyKind kind;
};

template <class Symbol>
symbol_copy to_symbol(Symbol& symbol, const void* source, size_t bytes, size_t offset, hipMemcpyKind kind) {
  return {true, (void*)&symbol, sizeof symbol, const_cast<void*>(source), bytes, offset, kind};
}
template <class Symbol>
symbol_copy from_symbol(void* target, Symbol& symbol, size_t bytes, size_t offset, hipMemcpyKind kind) {
  return {false, (void*)&symbol, sizeof symbol, target, bytes, offset, kind};
}

SIMT_API hipError_t add_symbol_node(hipGraphNode_t* added, hipGraph_t graph, const hipGraphNode_t* dependencies,
                                    size_t count, const symbol_copy& copy);
SIMT_API hipError_t set_symbol_node(hipGraphNode_t node, const symbol_copy& copy);
SIMT_API hipError_t set_symbol_node(hipGraphExec_t executable, hipGraphNode_t node, const symbol_copy& copy);

}  // namespace simt

inline namespace hip_on_cpu {

// Graphs. A cycle shows when a graph is instantiated: hipErrorInvalidValue.

SIMT_API hipError_t hipGraphCreate(hipGraph_t* created, unsigned flags);
SIMT_API hipError_t hipGraphDestroy(hipGraph_t handle);
SIMT_API hipError_t hipGraphClone(hipGraph_t* clone, hipGraph_t original);
SIMT_API hipError_t hipGraphNodeFindInClone(hipGraphNode_t* found, hipGraphNode_t original, hipGraph_t clone);
SIMT_API hipError_t hipGraphAddDependencies(hipGraph_t handle, const hipGraphNode_t* from, const hipGraphNode_t* to,
                                            size_t count);
SIMT_API hipError_t hipGraphRemoveDependencies(hipGraph_t handle, const hipGraphNode_t* from, const hipGraphNode_t* to,
                                               size_t count);
SIMT_API hipError_t hipGraphGetNodes(hipGraph_t handle, hipGraphNode_t* list, size_t* count);
SIMT_API hipError_t hipGraphGetRootNodes(hipGraph_t handle, hipGraphNode_t* list, size_t* count);
SIMT_API hipError_t hipGraphGetEdges(hipGraph_t handle, hipGraphNode_t* from, hipGraphNode_t* to, size_t* count);
SIMT_API hipError_t hipGraphNodeGetDependencies(hipGraphNode_t handle, hipGraphNode_t* list, size_t* count);
SIMT_API hipError_t hipGraphNodeGetDependentNodes(hipGraphNode_t handle, hipGraphNode_t* list, size_t* count);
SIMT_API hipError_t hipGraphDestroyNode(hipGraphNode_t handle);
SIMT_API hipError_t hipGraphInstantiate(hipGraphExec_t* executable, hipGraph_t handle, hipGraphNode_t* error_node,
                                        char* log, size_t log_bytes);
SIMT_API hipError_t hipGraphInstantiateWithFlags(hipGraphExec_t* executable, hipGraph_t handle,
                                                 unsigned long long flags);
SIMT_API hipError_t hipGraphInstantiateWithParams(hipGraphExec_t* executable, hipGraph_t graph,
                                                  hipGraphInstantiateParams* parameters);
SIMT_API hipError_t hipGraphExecGetFlags(hipGraphExec_t executable, unsigned long long* flags);
/// Writes the nodes and edges for Graphviz. The flags have no effect: kernels, copies and sizes are shown.
SIMT_API hipError_t hipGraphDebugDotPrint(hipGraph_t graph, const char* file, unsigned flags);
SIMT_API hipError_t hipGraphUpload(hipGraphExec_t executable, hipStream_t stream);
SIMT_API hipError_t hipGraphLaunch(hipGraphExec_t executable, hipStream_t stream);
SIMT_API hipError_t hipGraphExecDestroy(hipGraphExec_t executable);
SIMT_API hipError_t hipGraphExecUpdate(hipGraphExec_t executable, hipGraph_t handle, hipGraphNode_t* error_node,
                                       hipGraphExecUpdateResult* result);

// Objects of the program's, which are destroyed when nobody holds a reference to them. A graph, and each copy and
// instance of it, has references of its own. The function must not call HIP.

SIMT_API hipError_t hipUserObjectCreate(hipUserObject_t* object, void* data, hipHostFn_t destroy, unsigned references,
                                        unsigned flags);
SIMT_API hipError_t hipUserObjectRetain(hipUserObject_t object, unsigned references = 1);
SIMT_API hipError_t hipUserObjectRelease(hipUserObject_t object, unsigned references = 1);
/// With hipGraphUserObjectMove the references are the program's from before.
SIMT_API hipError_t hipGraphRetainUserObject(hipGraph_t graph, hipUserObject_t object, unsigned references = 1,
                                             unsigned flags = 0);
SIMT_API hipError_t hipGraphReleaseUserObject(hipGraph_t graph, hipUserObject_t object, unsigned references = 1);

// Memory of graphs. A node's memory has an address from the beginning, and is there from the node's run on until it is
// freed: by a node, by hipFreeAsync or by hipFree. Such a graph has one instance at a time, and is not copied.

#ifdef __clang__
#define SIMT_MEMORY_NODE_API SIMT_API __attribute__((nomerge))
#else
#define SIMT_MEMORY_NODE_API SIMT_API
#endif

SIMT_MEMORY_NODE_API hipError_t hipGraphAddMemAllocNode(hipGraphNode_t* node, hipGraph_t graph,
                                                        const hipGraphNode_t* dependencies, size_t count,
                                                        hipMemAllocNodeParams* parameters);
SIMT_API hipError_t hipGraphMemAllocNodeGetParams(hipGraphNode_t node, hipMemAllocNodeParams* parameters);
SIMT_MEMORY_NODE_API hipError_t hipGraphAddMemFreeNode(hipGraphNode_t* node, hipGraph_t graph,
                                                       const hipGraphNode_t* dependencies, size_t count, void* memory);
/// `memory`: where the address goes.
SIMT_API hipError_t hipGraphMemFreeNodeGetParams(hipGraphNode_t node, void* memory);
/// Bytes are std::uint64_t. The high marks can be set, to 0 alone.
SIMT_API hipError_t hipDeviceGetGraphMemAttribute(int device, hipGraphMemAttributeType attribute, void* value);
SIMT_API hipError_t hipDeviceSetGraphMemAttribute(int device, hipGraphMemAttributeType attribute, void* value);
SIMT_API hipError_t hipDeviceGraphMemTrim(int device);

inline hipError_t hipDrvGraphAddMemFreeNode(hipGraphNode_t* node, hipGraph_t graph, const hipGraphNode_t* dependencies,
                                            size_t count, hipDeviceptr_t memory) {
  return hipGraphAddMemFreeNode(node, graph, dependencies, count, memory);
}

// Nodes. The parameters are checked and copied, a kernel's arguments too.

SIMT_API hipError_t hipGraphNodeGetType(hipGraphNode_t handle, hipGraphNodeType* type);
SIMT_API hipError_t hipGraphAddEmptyNode(hipGraphNode_t* node, hipGraph_t graph, const hipGraphNode_t* dependencies,
                                         size_t count);
SIMT_API hipError_t hipGraphAddKernelNode(hipGraphNode_t* node, hipGraph_t graph, const hipGraphNode_t* dependencies,
                                          size_t count, const hipKernelNodeParams* parameters);
SIMT_API hipError_t hipGraphKernelNodeGetParams(hipGraphNode_t handle, hipKernelNodeParams* parameters);
SIMT_API hipError_t hipGraphKernelNodeSetParams(hipGraphNode_t node, const hipKernelNodeParams* parameters);
/// A cooperative node's blocks can wait for each other. The others are hints, which are kept and have no effect.
SIMT_API hipError_t hipGraphKernelNodeSetAttribute(hipGraphNode_t node, hipKernelNodeAttrID attribute,
                                                   const hipKernelNodeAttrValue* value);
SIMT_API hipError_t hipGraphKernelNodeGetAttribute(hipGraphNode_t node, hipKernelNodeAttrID attribute,
                                                   hipKernelNodeAttrValue* value);
SIMT_API hipError_t hipGraphKernelNodeCopyAttributes(hipGraphNode_t source, hipGraphNode_t target);
SIMT_API hipError_t hipGraphExecKernelNodeSetParams(hipGraphExec_t executable, hipGraphNode_t node,
                                                    const hipKernelNodeParams* parameters);
SIMT_API hipError_t hipGraphAddMemcpyNode(hipGraphNode_t* node, hipGraph_t graph, const hipGraphNode_t* dependencies,
                                          size_t count, const hipMemcpy3DParms* parameters);
SIMT_API hipError_t hipGraphMemcpyNodeGetParams(hipGraphNode_t node, hipMemcpy3DParms* parameters);
SIMT_API hipError_t hipGraphMemcpyNodeSetParams(hipGraphNode_t node, const hipMemcpy3DParms* parameters);
SIMT_API hipError_t hipGraphExecMemcpyNodeSetParams(hipGraphExec_t executable, hipGraphNode_t node,
                                                    hipMemcpy3DParms* parameters);
SIMT_API hipError_t hipGraphAddMemcpyNode1D(hipGraphNode_t* node, hipGraph_t graph, const hipGraphNode_t* dependencies,
                                            size_t count, void* target, const void* source, size_t bytes,
                                            hipMemcpyKind kind);
SIMT_API hipError_t hipGraphMemcpyNodeSetParams1D(hipGraphNode_t node, void* target, const void* source, size_t bytes,
                                                  hipMemcpyKind kind);
SIMT_API hipError_t hipGraphExecMemcpyNodeSetParams1D(hipGraphExec_t executable, hipGraphNode_t node, void* target,
                                                      const void* source, size_t bytes, hipMemcpyKind kind);
SIMT_API hipError_t hipGraphAddMemsetNode(hipGraphNode_t* node, hipGraph_t graph, const hipGraphNode_t* dependencies,
                                          size_t count, const hipMemsetParams* parameters);
SIMT_API hipError_t hipGraphMemsetNodeGetParams(hipGraphNode_t node, hipMemsetParams* parameters);
SIMT_API hipError_t hipGraphMemsetNodeSetParams(hipGraphNode_t node, const hipMemsetParams* parameters);
SIMT_API hipError_t hipGraphExecMemsetNodeSetParams(hipGraphExec_t executable, hipGraphNode_t node,
                                                    const hipMemsetParams* parameters);
SIMT_API hipError_t hipGraphAddHostNode(hipGraphNode_t* node, hipGraph_t graph, const hipGraphNode_t* dependencies,
                                        size_t count, const hipHostNodeParams* parameters);
SIMT_API hipError_t hipGraphHostNodeGetParams(hipGraphNode_t node, hipHostNodeParams* parameters);
SIMT_API hipError_t hipGraphHostNodeSetParams(hipGraphNode_t node, const hipHostNodeParams* parameters);
SIMT_API hipError_t hipGraphExecHostNodeSetParams(hipGraphExec_t executable, hipGraphNode_t node,
                                                  const hipHostNodeParams* parameters);
SIMT_API hipError_t hipGraphAddChildGraphNode(hipGraphNode_t* node, hipGraph_t graph,
                                              const hipGraphNode_t* dependencies, size_t count, hipGraph_t child);
SIMT_API hipError_t hipGraphChildGraphNodeGetGraph(hipGraphNode_t node, hipGraph_t* child);
SIMT_API hipError_t hipGraphExecChildGraphNodeSetParams(hipGraphExec_t executable, hipGraphNode_t node,
                                                        hipGraph_t child);
SIMT_API hipError_t hipGraphAddEventRecordNode(hipGraphNode_t* node, hipGraph_t graph,
                                               const hipGraphNode_t* dependencies, size_t count, hipEvent_t event);
SIMT_API hipError_t hipGraphEventRecordNodeGetEvent(hipGraphNode_t node, hipEvent_t* event);
SIMT_API hipError_t hipGraphEventRecordNodeSetEvent(hipGraphNode_t node, hipEvent_t event);
SIMT_API hipError_t hipGraphExecEventRecordNodeSetEvent(hipGraphExec_t executable, hipGraphNode_t node,
                                                        hipEvent_t event);
SIMT_API hipError_t hipGraphAddEventWaitNode(hipGraphNode_t* node, hipGraph_t graph, const hipGraphNode_t* dependencies,
                                             size_t count, hipEvent_t event);
SIMT_API hipError_t hipGraphEventWaitNodeGetEvent(hipGraphNode_t node, hipEvent_t* event);
SIMT_API hipError_t hipGraphEventWaitNodeSetEvent(hipGraphNode_t node, hipEvent_t event);
SIMT_API hipError_t hipGraphExecEventWaitNodeSetEvent(hipGraphExec_t executable, hipGraphNode_t node, hipEvent_t event);
SIMT_API hipError_t hipGraphNodeSetEnabled(hipGraphExec_t executable, hipGraphNode_t handle, unsigned enabled);
SIMT_API hipError_t hipGraphNodeGetEnabled(hipGraphExec_t executable, hipGraphNode_t handle, unsigned* enabled);

// Copies to and from a device variable. The variable is given by its name.

template <class _Tp>
hipError_t hipGraphAddMemcpyNodeToSymbol(hipGraphNode_t* node, hipGraph_t graph, const hipGraphNode_t* dependencies,
                                         size_t count, _Tp& symbol, const void* source, size_t bytes, size_t offset,
                                         hipMemcpyKind kind) {
  return simt::add_symbol_node(node, graph, dependencies, count, simt::to_symbol(symbol, source, bytes, offset, kind));
}
template <class _Tp>
hipError_t hipGraphMemcpyNodeSetParamsToSymbol(hipGraphNode_t node, _Tp& symbol, const void* source, size_t bytes,
                                               size_t offset, hipMemcpyKind kind) {
  return simt::set_symbol_node(node, simt::to_symbol(symbol, source, bytes, offset, kind));
}
template <class _Tp>
hipError_t hipGraphExecMemcpyNodeSetParamsToSymbol(hipGraphExec_t executable, hipGraphNode_t node, _Tp& symbol,
                                                   const void* source, size_t bytes, size_t offset,
                                                   hipMemcpyKind kind) {
  return simt::set_symbol_node(executable, node, simt::to_symbol(symbol, source, bytes, offset, kind));
}
template <class _Tp>
hipError_t hipGraphAddMemcpyNodeFromSymbol(hipGraphNode_t* node, hipGraph_t graph, const hipGraphNode_t* dependencies,
                                           size_t count, void* target, _Tp& symbol, size_t bytes, size_t offset,
                                           hipMemcpyKind kind) {
  return simt::add_symbol_node(node, graph, dependencies, count,
                               simt::from_symbol(target, symbol, bytes, offset, kind));
}
template <class _Tp>
hipError_t hipGraphMemcpyNodeSetParamsFromSymbol(hipGraphNode_t node, void* target, _Tp& symbol, size_t bytes,
                                                 size_t offset, hipMemcpyKind kind) {
  return simt::set_symbol_node(node, simt::from_symbol(target, symbol, bytes, offset, kind));
}
template <class _Tp>
hipError_t hipGraphExecMemcpyNodeSetParamsFromSymbol(hipGraphExec_t executable, hipGraphNode_t node, void* target,
                                                     _Tp& symbol, size_t bytes, size_t offset, hipMemcpyKind kind) {
  return simt::set_symbol_node(executable, node, simt::from_symbol(target, symbol, bytes, offset, kind));
}

// Capture.

SIMT_API hipError_t hipStreamBeginCapture(hipStream_t stream, hipStreamCaptureMode mode);
/// Adds to a graph: what is captured first comes behind these nodes of it.
SIMT_API hipError_t hipStreamBeginCaptureToGraph(hipStream_t stream, hipGraph_t graph,
                                                 const hipGraphNode_t* dependencies, const hipGraphEdgeData* edges,
                                                 size_t count, hipStreamCaptureMode mode);
SIMT_API hipError_t hipStreamEndCapture(hipStream_t stream, hipGraph_t* captured);
SIMT_API hipError_t hipStreamIsCapturing(hipStream_t stream, hipStreamCaptureStatus* status);
SIMT_API hipError_t hipStreamGetCaptureInfo(hipStream_t stream, hipStreamCaptureStatus* status, unsigned long long* id);
SIMT_API hipError_t hipStreamGetCaptureInfo_v2(hipStream_t stream, hipStreamCaptureStatus* status,
                                               unsigned long long* id, hipGraph_t* captured,
                                               const hipGraphNode_t** dependencies, size_t* count);
SIMT_API hipError_t hipStreamUpdateCaptureDependencies(hipStream_t stream, hipGraphNode_t* dependencies, size_t count,
                                                       unsigned flags);
SIMT_API hipError_t hipThreadExchangeStreamCaptureMode(hipStreamCaptureMode* mode);
}  // namespace hip_on_cpu
