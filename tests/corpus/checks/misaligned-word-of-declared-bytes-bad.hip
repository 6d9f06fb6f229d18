// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A word at a number that is no multiple of four in an array that is declared as bytes.
// run: program
// finds: misaligned
// lane: 0 0
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void headers(int* output) {
  __shared__ alignas(16) unsigned char packet[64];
  const int i = threadIdx.x;
  packet[i] = static_cast<unsigned char>(3 * i);
  packet[i + 32] = static_cast<unsigned char>(5 * i);
  __syncthreads();
  if (i == 0) output[0] = *reinterpret_cast<const int*>(packet + 14);  // first
}

int main() {
  int host, *output;
  hipMalloc(&output, sizeof host);
  headers<<<1, 32>>>(output);
  hipMemcpy(&host, output, sizeof host, hipMemcpyDeviceToHost);
  std::printf("%d\n", host);
  hipFree(output);
}
