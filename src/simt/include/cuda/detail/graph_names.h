// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA's names of graphs and captured streams. Each stands for one of HIP's, but for calls that CUDA 12
// and 13 have changed.
#pragma once

#include "hip/detail/node_parameters.h"

// Calls.

#define cudaGraphCreate hipGraphCreate
#define cudaGraphDestroy hipGraphDestroy
#define cudaGraphClone hipGraphClone
#define cudaGraphNodeFindInClone hipGraphNodeFindInClone
#define cudaGraphAddDependencies hipGraphAddDependencies
#define cudaGraphRemoveDependencies hipGraphRemoveDependencies
#define cudaGraphGetNodes hipGraphGetNodes
#define cudaGraphGetRootNodes hipGraphGetRootNodes
#define cudaGraphGetEdges hipGraphGetEdges
#define cudaGraphNodeGetDependencies hipGraphNodeGetDependencies
#define cudaGraphNodeGetDependentNodes hipGraphNodeGetDependentNodes
#define cudaGraphDestroyNode hipGraphDestroyNode
#define cudaGraphInstantiateWithFlags hipGraphInstantiateWithFlags
#define cudaGraphUpload hipGraphUpload
#define cudaGraphLaunch hipGraphLaunch
#define cudaGraphExecDestroy hipGraphExecDestroy
#define cudaGraphNodeGetType hipGraphNodeGetType
#define cudaGraphAddEmptyNode hipGraphAddEmptyNode
#define cudaGraphAddKernelNode hipGraphAddKernelNode
#define cudaGraphKernelNodeGetParams hipGraphKernelNodeGetParams
#define cudaGraphKernelNodeSetParams hipGraphKernelNodeSetParams
#define cudaGraphExecKernelNodeSetParams hipGraphExecKernelNodeSetParams
#define cudaGraphAddMemcpyNode hipGraphAddMemcpyNode
#define cudaGraphMemcpyNodeGetParams hipGraphMemcpyNodeGetParams
#define cudaGraphMemcpyNodeSetParams hipGraphMemcpyNodeSetParams
#define cudaGraphExecMemcpyNodeSetParams hipGraphExecMemcpyNodeSetParams
#define cudaGraphAddMemcpyNode1D hipGraphAddMemcpyNode1D
#define cudaGraphMemcpyNodeSetParams1D hipGraphMemcpyNodeSetParams1D
#define cudaGraphExecMemcpyNodeSetParams1D hipGraphExecMemcpyNodeSetParams1D
#define cudaGraphAddMemsetNode hipGraphAddMemsetNode
#define cudaGraphMemsetNodeGetParams hipGraphMemsetNodeGetParams
#define cudaGraphMemsetNodeSetParams hipGraphMemsetNodeSetParams
#define cudaGraphExecMemsetNodeSetParams hipGraphExecMemsetNodeSetParams
#define cudaGraphAddHostNode hipGraphAddHostNode
#define cudaGraphHostNodeGetParams hipGraphHostNodeGetParams
#define cudaGraphHostNodeSetParams hipGraphHostNodeSetParams
#define cudaGraphExecHostNodeSetParams hipGraphExecHostNodeSetParams
#define cudaGraphAddChildGraphNode hipGraphAddChildGraphNode
#define cudaGraphChildGraphNodeGetGraph hipGraphChildGraphNodeGetGraph
#define cudaGraphExecChildGraphNodeSetParams hipGraphExecChildGraphNodeSetParams
#define cudaGraphAddEventRecordNode hipGraphAddEventRecordNode
#define cudaGraphEventRecordNodeGetEvent hipGraphEventRecordNodeGetEvent
#define cudaGraphEventRecordNodeSetEvent hipGraphEventRecordNodeSetEvent
#define cudaGraphExecEventRecordNodeSetEvent hipGraphExecEventRecordNodeSetEvent
#define cudaGraphAddEventWaitNode hipGraphAddEventWaitNode
#define cudaGraphEventWaitNodeGetEvent hipGraphEventWaitNodeGetEvent
#define cudaGraphEventWaitNodeSetEvent hipGraphEventWaitNodeSetEvent
#define cudaGraphExecEventWaitNodeSetEvent hipGraphExecEventWaitNodeSetEvent
#define cudaGraphNodeSetEnabled hipGraphNodeSetEnabled
#define cudaGraphNodeGetEnabled hipGraphNodeGetEnabled
#define cudaGraphAddMemcpyNodeToSymbol hipGraphAddMemcpyNodeToSymbol
#define cudaGraphMemcpyNodeSetParamsToSymbol hipGraphMemcpyNodeSetParamsToSymbol
#define cudaGraphExecMemcpyNodeSetParamsToSymbol hipGraphExecMemcpyNodeSetParamsToSymbol
#define cudaGraphAddMemcpyNodeFromSymbol hipGraphAddMemcpyNodeFromSymbol
#define cudaGraphMemcpyNodeSetParamsFromSymbol hipGraphMemcpyNodeSetParamsFromSymbol
#define cudaGraphExecMemcpyNodeSetParamsFromSymbol hipGraphExecMemcpyNodeSetParamsFromSymbol
#define cudaGraphDebugDotPrint hipGraphDebugDotPrint
#define cudaGraphExecGetFlags hipGraphExecGetFlags
#define cudaGraphInstantiateWithParams hipGraphInstantiateWithParams
#define cudaGraphRetainUserObject hipGraphRetainUserObject
#define cudaGraphReleaseUserObject hipGraphReleaseUserObject
#define cudaUserObjectCreate hipUserObjectCreate
#define cudaUserObjectRetain hipUserObjectRetain
#define cudaUserObjectRelease hipUserObjectRelease
#define cudaStreamBeginCaptureToGraph hipStreamBeginCaptureToGraph
#define cudaEventRecordWithFlags hipEventRecordWithFlags
#define cudaEventRecordDefault hipEventRecordDefault
#define cudaEventRecordExternal hipEventRecordExternal
#define cudaGraphAddMemAllocNode hipGraphAddMemAllocNode
#define cudaGraphMemAllocNodeGetParams hipGraphMemAllocNodeGetParams
#define cudaGraphAddMemFreeNode hipGraphAddMemFreeNode
#define cudaGraphNodeSetParams hipGraphNodeSetParams
#define cudaGraphExecNodeSetParams hipGraphExecNodeSetParams
#define cudaGraphMemFreeNodeGetParams hipGraphMemFreeNodeGetParams
#define cudaDeviceGetGraphMemAttribute hipDeviceGetGraphMemAttribute
#define cudaDeviceSetGraphMemAttribute hipDeviceSetGraphMemAttribute
#define cudaDeviceGraphMemTrim hipDeviceGraphMemTrim
#define cudaStreamBeginCapture hipStreamBeginCapture
#define cudaStreamEndCapture hipStreamEndCapture
#define cudaStreamIsCapturing hipStreamIsCapturing
#define cudaStreamGetCaptureInfo hipStreamGetCaptureInfo
#define cudaStreamGetCaptureInfo_v2 hipStreamGetCaptureInfo_v2
#define cudaThreadExchangeStreamCaptureMode hipThreadExchangeStreamCaptureMode
#define cudaStreamUpdateCaptureDependencies hipStreamUpdateCaptureDependencies

// Types and their values.

#define cudaGraph_t hipGraph_t
#define cudaGraphNode_t hipGraphNode_t
#define cudaGraphExec_t hipGraphExec_t
#define cudaGraphNodeType hipGraphNodeType
#define cudaGraphNodeTypeKernel hipGraphNodeTypeKernel
#define cudaGraphNodeTypeMemcpy hipGraphNodeTypeMemcpy
#define cudaGraphNodeTypeMemset hipGraphNodeTypeMemset
#define cudaGraphNodeTypeHost hipGraphNodeTypeHost
#define cudaGraphNodeTypeGraph hipGraphNodeTypeGraph
#define cudaGraphNodeTypeEmpty hipGraphNodeTypeEmpty
#define cudaGraphNodeTypeWaitEvent hipGraphNodeTypeWaitEvent
#define cudaGraphNodeTypeEventRecord hipGraphNodeTypeEventRecord
#define cudaGraphNodeTypeExtSemaphoreSignal hipGraphNodeTypeExtSemaphoreSignal
#define cudaGraphNodeTypeExtSemaphoreWait hipGraphNodeTypeExtSemaphoreWait
#define cudaGraphNodeTypeMemAlloc hipGraphNodeTypeMemAlloc
#define cudaGraphNodeTypeMemFree hipGraphNodeTypeMemFree
#define cudaGraphNodeTypeMemcpyFromSymbol hipGraphNodeTypeMemcpyFromSymbol
#define cudaGraphNodeTypeMemcpyToSymbol hipGraphNodeTypeMemcpyToSymbol
#define cudaGraphNodeTypeCount hipGraphNodeTypeCount
#define cudaKernelNodeParams hipKernelNodeParams
#define cudaHostNodeParams hipHostNodeParams
#define cudaUserObject_t hipUserObject_t
#define cudaUserObjectNoDestructorSync hipUserObjectNoDestructorSync
#define cudaGraphUserObjectMove hipGraphUserObjectMove
#define cudaGraphDebugDotFlags hipGraphDebugDotFlags
#define cudaGraphDebugDotFlagsVerbose hipGraphDebugDotFlagsVerbose
#define cudaGraphEdgeData hipGraphEdgeData
#define cudaGraphInstantiateParams hipGraphInstantiateParams
#define cudaGraphInstantiateResult hipGraphInstantiateResult
#define cudaGraphInstantiateSuccess hipGraphInstantiateSuccess
#define cudaGraphInstantiateError hipGraphInstantiateError
#define cudaGraphInstantiateInvalidStructure hipGraphInstantiateInvalidStructure
#define cudaMemAllocNodeParams hipMemAllocNodeParams
#define cudaMemFreeNodeParams hipMemFreeNodeParams
#define cudaGraphMemAttributeType hipGraphMemAttributeType
#define cudaGraphMemAttrUsedMemCurrent hipGraphMemAttrUsedMemCurrent
#define cudaGraphMemAttrUsedMemHigh hipGraphMemAttrUsedMemHigh
#define cudaGraphMemAttrReservedMemCurrent hipGraphMemAttrReservedMemCurrent
#define cudaGraphMemAttrReservedMemHigh hipGraphMemAttrReservedMemHigh
#define cudaGraphExecUpdateResult hipGraphExecUpdateResult
#define cudaGraphExecUpdateSuccess hipGraphExecUpdateSuccess
#define cudaGraphExecUpdateError hipGraphExecUpdateError
#define cudaGraphExecUpdateErrorTopologyChanged hipGraphExecUpdateErrorTopologyChanged
#define cudaGraphExecUpdateErrorNodeTypeChanged hipGraphExecUpdateErrorNodeTypeChanged
#define cudaGraphExecUpdateErrorFunctionChanged hipGraphExecUpdateErrorFunctionChanged
#define cudaGraphExecUpdateErrorParametersChanged hipGraphExecUpdateErrorParametersChanged
#define cudaGraphExecUpdateErrorNotSupported hipGraphExecUpdateErrorNotSupported
#define cudaGraphExecUpdateErrorUnsupportedFunctionChange hipGraphExecUpdateErrorUnsupportedFunctionChange
#define cudaGraphInstantiateFlags hipGraphInstantiateFlags
#define cudaGraphInstantiateFlagAutoFreeOnLaunch hipGraphInstantiateFlagAutoFreeOnLaunch
#define cudaGraphInstantiateFlagUpload hipGraphInstantiateFlagUpload
#define cudaGraphInstantiateFlagDeviceLaunch hipGraphInstantiateFlagDeviceLaunch
#define cudaGraphInstantiateFlagUseNodePriority hipGraphInstantiateFlagUseNodePriority
#define cudaStreamCaptureMode hipStreamCaptureMode
#define cudaStreamCaptureModeGlobal hipStreamCaptureModeGlobal
#define cudaStreamCaptureModeThreadLocal hipStreamCaptureModeThreadLocal
#define cudaStreamCaptureModeRelaxed hipStreamCaptureModeRelaxed
#define cudaStreamCaptureStatus hipStreamCaptureStatus
#define cudaStreamCaptureStatusNone hipStreamCaptureStatusNone
#define cudaStreamCaptureStatusActive hipStreamCaptureStatusActive
#define cudaStreamCaptureStatusInvalidated hipStreamCaptureStatusInvalidated
#define cudaStreamUpdateCaptureDependenciesFlags hipStreamUpdateCaptureDependenciesFlags
#define cudaStreamAddCaptureDependencies hipStreamAddCaptureDependencies
#define cudaStreamSetCaptureDependencies hipStreamSetCaptureDependencies
#define cudaMemsetParams hipMemsetParams
#define cudaGraphNodeParams hipGraphNodeParams
#define cudaMemcpyNodeParams hipMemcpyNodeParams
#define cudaChildGraphNodeParams hipChildGraphNodeParams
#define cudaEventWaitNodeParams hipEventWaitNodeParams
#define cudaEventRecordNodeParams hipEventRecordNodeParams

struct cudaGraphExecUpdateResultInfo {
  hipGraphExecUpdateResult result;
  hipGraphNode_t errorNode;
  hipGraphNode_t errorFromNode;
};

inline namespace hip_on_cpu {

inline hipError_t cudaGraphInstantiate(hipGraphExec_t* executable, hipGraph_t graph, unsigned long long flags = 0) {
  return hipGraphInstantiateWithFlags(executable, graph, flags);
}

inline hipError_t cudaGraphAddNode(hipGraphNode_t* node, hipGraph_t graph, const hipGraphNode_t* dependencies,
                                   const hipGraphEdgeData*, size_t count, hipGraphNodeParams* parameters) {
  return hipGraphAddNode(node, graph, dependencies, count, parameters);
}
/// As it was before CUDA 13.
inline hipError_t cudaGraphAddNode(hipGraphNode_t* node, hipGraph_t graph, const hipGraphNode_t* dependencies,
                                   size_t count, hipGraphNodeParams* parameters) {
  return hipGraphAddNode(node, graph, dependencies, count, parameters);
}

/// As it was before CUDA 12.
inline hipError_t cudaGraphInstantiate(hipGraphExec_t* executable, hipGraph_t graph, hipGraphNode_t* error_node,
                                       char* log, size_t log_bytes) {
  return hipGraphInstantiate(executable, graph, error_node, log, log_bytes);
}

inline hipError_t cudaGraphExecUpdate(hipGraphExec_t executable, hipGraph_t graph,
                                      cudaGraphExecUpdateResultInfo* info) {
  if (info == nullptr) return hipErrorInvalidValue;
  info->errorFromNode = nullptr;
  return hipGraphExecUpdate(executable, graph, &info->errorNode, &info->result);
}
/// As it was before CUDA 12.
inline hipError_t cudaGraphExecUpdate(hipGraphExec_t executable, hipGraph_t graph, hipGraphNode_t* error_node,
                                      hipGraphExecUpdateResult* result) {
  return hipGraphExecUpdate(executable, graph, error_node, result);
}

}  // namespace hip_on_cpu
