// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A word that begins at any byte of an array, byte by byte; and a type that may begin at any.
// run: program
#include <hip/hip_runtime.h>

#include <cstdio>

typedef int part __attribute__((aligned(1)));

__global__ void headers(int* output) {
  __shared__ alignas(16) unsigned char packet[64];
  const int i = threadIdx.x;
  packet[i] = static_cast<unsigned char>(3 * i);
  packet[i + 32] = static_cast<unsigned char>(5 * i);
  __syncthreads();
  if (i == 1) output[1] = *reinterpret_cast<const part*>(packet + 21);
  if (i == 0) output[0] = packet[14] | packet[15] << 8 | packet[16] << 16 | packet[17] << 24;
}

int main() {
  int host, *output;
  hipMalloc(&output, 2 * sizeof host);
  headers<<<1, 32>>>(output);
  hipMemcpy(&host, output, sizeof host, hipMemcpyDeviceToHost);
  std::printf("%d\n", host);
  hipFree(output);
}
