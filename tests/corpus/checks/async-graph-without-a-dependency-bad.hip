// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// run: program
// finds: async_race
// Two nodes of a graph use one buffer, and neither depends on the other.
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void fill(int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i + 1;
}

int main() {
  const int n = 256;
  int *a, *host;
  hipMalloc(&a, n * sizeof(int));
  hipHostMalloc(&host, n * sizeof(int));
  hipGraph_t graph;
  hipGraphCreate(&graph, 0);
  int count = n;
  void* arguments[] = {&a, &count};
  hipKernelNodeParams launch = {};
  launch.func = reinterpret_cast<void*>(fill);
  launch.gridDim = dim3(1);
  launch.blockDim = dim3(n);
  launch.kernelParams = arguments;
  hipGraphNode_t filling, copying;
  hipGraphAddKernelNode(&filling, graph, nullptr, 0, &launch);
  hipGraphAddMemcpyNode1D(&copying, graph, nullptr, 0, host, a, n * sizeof(int), hipMemcpyDeviceToHost);
  hipGraphExec_t executable;
  hipGraphInstantiate(&executable, graph, nullptr, nullptr, 0);
  hipStream_t stream;
  hipStreamCreate(&stream);
  hipGraphLaunch(executable, stream);  // first, second
  hipStreamSynchronize(stream);
  const int last = host[n - 1];
  printf("%d\n", last);
  hipGraphExecDestroy(executable);
  hipGraphDestroy(graph);
  hipStreamDestroy(stream);
  hipHostFree(host);
  hipFree(a);
  return last != n;
}
