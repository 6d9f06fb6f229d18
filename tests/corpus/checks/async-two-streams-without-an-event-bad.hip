// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// run: program
// finds: async_race
// One stream writes what a kernel of another one reads, and no event orders the two.
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
  fill<<<n / 256, 256, 0, one>>>(a, n);  // second
  hipEventRecord(filled, one);
  twice<<<n / 256, 256, 0, other>>>(b, a, n);  // first
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
