// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// run: program
// finds: async_race
// Memory is allocated in the order of one stream, and a kernel of another one uses it.
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
  hipMallocAsync(&a, n * sizeof(int), memory);  // second
  fill<<<n / 256, 256, 0, work>>>(a, n);        // first
  hipDeviceSynchronize();
  hipFreeAsync(a, memory);
  hipStreamDestroy(memory);
  hipStreamDestroy(work);
  return 0;
}
