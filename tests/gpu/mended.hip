// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls, through HIP, what src/gpu/hip_on_cuda.hpp puts back. It is compiled for NVIDIA with that header alone before
// it, and not run.
#include "gpu/hip_on_cuda.hpp"

int main() {
  hipDeviceProp_t properties;
  int failures = hipGetDeviceProperties(&properties, 0) != hipSuccess;
  int device = 0;
  failures += hipChooseDevice(&device, &properties) != hipSuccess;
  failures += hipDeviceGetAttribute(&device, hipDeviceAttributeCooperativeMultiDeviceLaunch, 0) != hipSuccess;
  void* memory = nullptr;
  failures += hipMallocManaged(&memory, 64, hipMemAttachGlobal) != hipSuccess;
  failures += hipMemAdvise(memory, 64, hipMemAdviseSetReadMostly, 0) != hipSuccess;
  failures += hipMemPrefetchAsync(memory, 64, 0, nullptr) != hipSuccess;
  hipCtx_t context = nullptr;
  failures += hipCtxCreate(&context, 0, 0) != hipSuccess;
  hipGraph_t graph = nullptr;
  hipGraphNode_t nodes[2] = {};
  size_t count = 0;
  failures += hipGraphAddDependencies(graph, nodes, nodes + 1, 1) != hipSuccess;
  failures += hipGraphRemoveDependencies(graph, nodes, nodes + 1, 1) != hipSuccess;
  failures += hipGraphGetEdges(graph, nodes, nodes + 1, &count) != hipSuccess;
  failures += hipGraphNodeGetDependencies(nodes[0], nodes, &count) != hipSuccess;
  failures += hipGraphNodeGetDependentNodes(nodes[0], nodes, &count) != hipSuccess;
  hipStreamCaptureStatus status;
  failures += hipStreamGetCaptureInfo_v2(nullptr, &status, nullptr, &graph, nullptr, &count) != hipSuccess;
  failures += hipStreamUpdateCaptureDependencies(nullptr, nodes, 1, 0) != hipSuccess;
  return failures;
}
