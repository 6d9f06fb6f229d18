// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The last block publishes a value behind a flag, and all blocks write it to one place: the same on any data.
// run: program
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void publish(const int* in, int* flag, int* data, int* shown) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == gridDim.x - 1) {
    *data = in[3] + in[5];
    __threadfence();
    atomicExch(flag, 1);
  }
  while (atomicAdd(flag, 0) == 0) continue;
  __threadfence();
  if (blockIdx.x == 0) *shown = *data;
}

int main() {
  int host[32], *in, *flag, *data, result;
  for (int i = 0; i < 32; ++i) host[i] = i;
  hipMalloc(&in, sizeof host);
  hipMalloc(&flag, sizeof(int));
  hipMalloc(&data, 2 * sizeof(int));
  hipMemcpy(in, host, sizeof host, hipMemcpyHostToDevice);
  hipMemset(flag, 0, sizeof(int));
  hipMemset(data, 0, 2 * sizeof(int));
  publish<<<2, 32>>>(in, flag, data, data + 1);
  hipMemcpy(&result, data + 1, sizeof result, hipMemcpyDeviceToHost);
  std::printf("%d\n", result);
  hipFree(in);
  hipFree(flag);
  hipFree(data);
}
