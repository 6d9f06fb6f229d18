// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// run: program
// Memory is freed in the order of the stream whose kernel uses it.
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void fill(int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i + 1;
}

int main() {
  const int n = 1024;
  int* a;
  hipStream_t work, cleaning;
  hipStreamCreateWithFlags(&work, hipStreamNonBlocking);
  hipStreamCreateWithFlags(&cleaning, hipStreamNonBlocking);
  hipMallocAsync(&a, n * sizeof(int), work);
  fill<<<n / 256, 256, 0, work>>>(a, n);
  hipFreeAsync(a, work);
  hipDeviceSynchronize();
  hipStreamDestroy(work);
  hipStreamDestroy(cleaning);
  return 0;
}
