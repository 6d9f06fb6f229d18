// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// run: program
// The event that the host waits for is recorded behind the copy.
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void fill(int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i + 1;
}

int main() {
  const int n = 256;
  int *a, *host;
  hipStream_t stream;
  hipEvent_t done;
  hipMalloc(&a, n * sizeof(int));
  hipHostMalloc(&host, n * sizeof(int));
  hipStreamCreate(&stream);
  hipEventCreate(&done);
  fill<<<1, n, 0, stream>>>(a, n);
  hipMemcpyAsync(host, a, n * sizeof(int), hipMemcpyDeviceToHost, stream);
  hipEventRecord(done, stream);
  hipEventSynchronize(done);
  int sum = 0;
  for (int i = 0; i < n; ++i) {
    sum += host[i];
  }
  printf("%d\n", sum);
  hipEventDestroy(done);
  hipStreamDestroy(stream);
  hipHostFree(host);
  hipFree(a);
  return sum != n * (n + 1) / 2;
}
