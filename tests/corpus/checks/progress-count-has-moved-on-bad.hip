// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A block waits for a count that another one, already at its next arrival, has raised further.
// modelled on: https://github.com/NVIDIA/cuml/issues/458
// run: program --timeout 0.3
// finds: no_progress
// lane: 0 0
#include <hip/hip_runtime.h>

#include <cstdio>

__device__ int arrived;

__global__ void exchange(int* parts, int* others) {
  parts[blockIdx.x] = static_cast<int>(blockIdx.x) + 1;
  for (int phase = 1; phase <= 2; ++phase) {
    const int all = phase * static_cast<int>(gridDim.x);
    __threadfence();
    atomicAdd(&arrived, 1);
    while (atomicAdd(&arrived, 0) != all) continue;  // first
    __threadfence();
    if (phase == 1) others[blockIdx.x] = parts[gridDim.x - 1 - blockIdx.x];
  }
}

int main() {
  int host[2], *parts, *others;
  hipMalloc(&parts, sizeof host);
  hipMalloc(&others, sizeof host);
  exchange<<<2, 1>>>(parts, others);
  hipMemcpy(host, others, sizeof host, hipMemcpyDeviceToHost);
  std::printf("%d %d\n", host[0], host[1]);
  hipFree(parts);
  hipFree(others);
  return 0;
}
// no repair: which count ends the wait is for the author to say
