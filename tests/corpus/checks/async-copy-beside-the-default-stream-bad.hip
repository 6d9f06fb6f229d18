// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// run: program
// finds: async_race
// A stream that does not wait for the default stream copies what that one's kernel writes.
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
  hipStreamCreateWithFlags(&copies, hipStreamNonBlocking);
  fill<<<n / 64, 64>>>(a, n);  // second
  hipMemcpyAsync(host, a, n * sizeof(int), hipMemcpyDeviceToHost, copies);  // first
  hipStreamSynchronize(copies);
  printf("%d\n", host[n - 1]);
  const int last = host[n - 1];
  hipStreamDestroy(copies);
  hipHostFree(host);
  hipFree(a);
  return last != n;
}
