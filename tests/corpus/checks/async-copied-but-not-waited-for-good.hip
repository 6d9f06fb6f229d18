// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// run: program
// The host waits for the stream before it uses what the copy brings.
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void fill(int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i + 1;
}

int main() {
  const int n = 1 << 12;
  int* a;
  int* value;
  hipStream_t stream;
  hipMalloc(&a, n * sizeof(int));
  hipHostMalloc(&value, sizeof(int));
  hipStreamCreate(&stream);
  *value = 0;
  fill<<<n / 256, 256, 0, stream>>>(a, n);
  hipMemcpyAsync(value, a + n - 1, sizeof(int), hipMemcpyDeviceToHost, stream);
  hipStreamSynchronize(stream);
  const int size = *value;
  printf("%d\n", size);
  hipStreamDestroy(stream);
  hipHostFree(value);
  hipFree(a);
  return size != n;
}
