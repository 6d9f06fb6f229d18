// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// run: program
// The memset and the kernel are on one stream.
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void count(unsigned* bins, const unsigned char* text, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[text[i] % 16], 1u);
}

int main() {
  const int n = 2048;
  static unsigned char text[n];
  for (int i = 0; i < n; ++i) text[i] = static_cast<unsigned char>(i * 7);
  unsigned bins[16];
  unsigned* counted;
  unsigned char* given;
  hipStream_t clearing, counting;
  hipStreamCreateWithFlags(&clearing, hipStreamNonBlocking);
  hipStreamCreateWithFlags(&counting, hipStreamNonBlocking);
  hipMalloc(&counted, sizeof bins);
  hipMalloc(&given, n);
  hipMemcpy(given, text, n, hipMemcpyHostToDevice);
  hipMemsetAsync(counted, 0, sizeof bins, counting);
  count<<<n / 256, 256, 0, counting>>>(counted, given, n);
  hipDeviceSynchronize();
  hipMemcpy(bins, counted, sizeof bins, hipMemcpyDeviceToHost);
  printf("%u\n", bins[3]);
  hipStreamDestroy(clearing);
  hipStreamDestroy(counting);
  hipFree(counted);
  hipFree(given);
  return bins[3] != 128;
}
