// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// run: program
// An event tells the host when the copy of the last round has read the buffer.
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void add(int* total, const int* in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(total, in[i]);
}

int main() {
  const int n = 512, rounds = 4;
  int *staging, *in, *total;
  hipStream_t stream;
  hipEvent_t copied;
  hipHostMalloc(&staging, n * sizeof(int), hipHostMallocDefault);
  hipMalloc(&in, n * sizeof(int));
  hipMalloc(&total, sizeof(int));
  hipMemset(total, 0, sizeof(int));
  hipStreamCreate(&stream);
  hipEventCreate(&copied);
  for (int round = 0; round < rounds; ++round) {
    if (round != 0) hipEventSynchronize(copied);
    for (int i = 0; i < n; ++i) {
      staging[i] = round + i;
    }
    hipMemcpyAsync(in, staging, n * sizeof(int), hipMemcpyHostToDevice, stream);
    hipEventRecord(copied, stream);
    add<<<n / 128, 128, 0, stream>>>(total, in, n);
  }
  int result = 0;
  hipMemcpy(&result, total, sizeof(int), hipMemcpyDeviceToHost);
  printf("%d\n", result);
  hipEventDestroy(copied);
  hipStreamDestroy(stream);
  hipHostFree(staging);
  hipFree(in);
  hipFree(total);
  return 0;
}
