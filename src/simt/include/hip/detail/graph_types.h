// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HIP's types of graphs and of capturing streams, with HIP's own numbers.
#pragma once

#include "hip/detail/copy_types.h"
#include "hip/detail/dim3.h"

typedef struct ihipGraph* hipGraph_t;
typedef struct hipGraphNode* hipGraphNode_t;
typedef struct hipGraphExec* hipGraphExec_t;

enum hipGraphNodeType : int {
  hipGraphNodeTypeKernel = 0,
  hipGraphNodeTypeMemcpy = 1,
  hipGraphNodeTypeMemset = 2,
  hipGraphNodeTypeHost = 3,
  hipGraphNodeTypeGraph = 4,
  hipGraphNodeTypeEmpty = 5,
  hipGraphNodeTypeWaitEvent = 6,
  hipGraphNodeTypeEventRecord = 7,
  hipGraphNodeTypeExtSemaphoreSignal = 8,
  hipGraphNodeTypeExtSemaphoreWait = 9,
  hipGraphNodeTypeMemAlloc = 10,
  hipGraphNodeTypeMemFree = 11,
  hipGraphNodeTypeMemcpyFromSymbol = 12,
  hipGraphNodeTypeMemcpyToSymbol = 13,
  hipGraphNodeTypeCount
};

struct hipKernelNodeParams {
  dim3 blockDim;
  void** extra;
  void* func;
  dim3 gridDim;
  void** kernelParams;
  unsigned sharedMemBytes;
};

struct hipHostNodeParams {
  hipHostFn_t fn;
  void* userData;
};

enum hipGraphExecUpdateResult : int {
  hipGraphExecUpdateSuccess = 0,
  hipGraphExecUpdateError = 1,
  hipGraphExecUpdateErrorTopologyChanged = 2,
  hipGraphExecUpdateErrorNodeTypeChanged = 3,
  hipGraphExecUpdateErrorFunctionChanged = 4,
  hipGraphExecUpdateErrorParametersChanged = 5,
  hipGraphExecUpdateErrorNotSupported = 6,
  hipGraphExecUpdateErrorUnsupportedFunctionChange = 7
};

enum hipGraphInstantiateFlags : int {
  hipGraphInstantiateFlagAutoFreeOnLaunch = 1,
  hipGraphInstantiateFlagUpload = 2,
  hipGraphInstantiateFlagDeviceLaunch = 4,
  hipGraphInstantiateFlagUseNodePriority = 8
};

enum hipStreamCaptureMode : int {
  hipStreamCaptureModeGlobal = 0,
  hipStreamCaptureModeThreadLocal,
  hipStreamCaptureModeRelaxed
};

enum hipStreamCaptureStatus : int {
  hipStreamCaptureStatusNone = 0,
  hipStreamCaptureStatusActive,
  hipStreamCaptureStatusInvalidated
};

enum hipStreamUpdateCaptureDependenciesFlags : int {
  hipStreamAddCaptureDependencies = 0,
  hipStreamSetCaptureDependencies
};
