// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// run: program
// The second stream waits for an event of the first one.
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void fill(int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i + 1;
}

__global__ void twice(int* out, const int* in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2 * in[i];
}

int main() {
  const int n = 1024;
  int *a, *b;
  static int result[n];
  hipStream_t one, other;
  hipEvent_t filled;
  hipMalloc(&a, n * sizeof(int));
  hipMalloc(&b, n * sizeof(int));
  hipStreamCreateWithFlags(&one, hipStreamNonBlocking);
  hipStreamCreateWithFlags(&other, hipStreamNonBlocking);
  hipEventCreate(&filled);
  fill<<<n / 256, 256, 0, one>>>(a, n);
  hipEventRecord(filled, one);
  hipStreamWaitEvent(other, filled, 0);
  twice<<<n / 256, 256, 0, other>>>(b, a, n);
  hipStreamSynchronize(other);
  hipMemcpy(result, b, sizeof result, hipMemcpyDeviceToHost);
  printf("%d\n", result[n - 1]);
  hipEventDestroy(filled);
  hipStreamDestroy(one);
  hipStreamDestroy(other);
  hipFree(a);
  hipFree(b);
  return result[n - 1] != 2 * n;
}
