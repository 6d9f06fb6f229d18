// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// run: program
// The stream is a blocking one: it waits for what the default stream has been given before.
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void fill(int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i + 1;
}

int main() {
  const int n = 512;
  int *a, *host;
  hipStream_t copies;
  hipMalloc(&a, n * sizeof(int));
  hipHostMalloc(&host, n * sizeof(int));
  hipStreamCreate(&copies);
  fill<<<n / 64, 64>>>(a, n);
  hipMemcpyAsync(host, a, n * sizeof(int), hipMemcpyDeviceToHost, copies);
  hipStreamSynchronize(copies);
  printf("%d\n", host[n - 1]);
  const int last = host[n - 1];
  hipStreamDestroy(copies);
  hipHostFree(host);
  hipFree(a);
  return last != n;
}
