// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA's names of graphs and captured streams. Each stands for one of HIP's, but for two calls that CUDA 12 has
// changed.
#pragma once

#include "hip/detail/graph_api.h"

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

struct cudaGraphExecUpdateResultInfo {
  hipGraphExecUpdateResult result;
  hipGraphNode_t errorNode;
  hipGraphNode_t errorFromNode;
};

inline namespace hip_on_cpu {

inline hipError_t cudaGraphInstantiate(hipGraphExec_t* executable, hipGraph_t graph, unsigned long long flags = 0) {
  return hipGraphInstantiateWithFlags(executable, graph, flags);
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
