// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// run: program
// Memory is allocated in the order of one stream, and a kernel of another one waits for that.
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void fill(int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i + 1;
}

int main() {
  const int n = 1024;
  int* a;
  hipStream_t memory, work;
  hipStreamCreateWithFlags(&memory, hipStreamNonBlocking);
  hipStreamCreateWithFlags(&work, hipStreamNonBlocking);
  hipEvent_t is_there;
  hipEventCreate(&is_there);
  hipMallocAsync(&a, n * sizeof(int), memory);  // first
  hipEventRecord(is_there, memory);
  hipStreamWaitEvent(work, is_there);
  fill<<<n / 256, 256, 0, work>>>(a, n);  // second
  hipDeviceSynchronize();
  hipFreeAsync(a, memory);
  hipEventDestroy(is_there);
  hipStreamDestroy(memory);
  hipStreamDestroy(work);
  return 0;
}
